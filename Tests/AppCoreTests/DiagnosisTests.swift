import TestSupport
import Testing

@testable import AppCore

/// How the checks of a diagnosis run.
@Suite(.timeLimit(.minutes(5))) struct DiagnosisTests {
  @Test("a server that does not answer fails its check, and keeps no other from ending")
  func timeout() async throws {
    let found = await Diagnosis.findings(of: ["silent", "fast"]) { name in
      let limit: Duration = name == "silent" ? .milliseconds(20) : .seconds(3_600)
      return [
        await Finding.check(name, within: limit) {
          if name == "silent" { await Gate().wait() }
          return "answers"
        }
      ]
    }
    #expect(found.map(\.name) == ["silent", "fast"])
    #expect(found.map(\.outcome) == [.failed, .works])
    #expect(found[0].detail == "no answer within 1 s" && found[0].fix != nil)
  }

  @Test("findings keep the order of their names, whichever ends first")
  func order() async throws {
    let names = (0..<30).map { "account\($0)" }
    let firstMayEnd = Gate()
    let found = await Diagnosis.findings(of: names) { name in
      if name == names[0] {
        await firstMayEnd.wait()
      } else if name == names[29] {
        firstMayEnd.open()
      }
      return [Finding(name, "a"), Finding(name, "b")]
    }
    #expect(found.map(\.name) == names.flatMap { [$0, $0] })
  }

  @Test(
    "a session bus that does not answer is a failure, with the cause and the fix",
    arguments: [
      ("unix:path=/nonexistent/bus", "No such file or directory"), ("nonsense", "nonsense"),
    ])
  func deadBus(address: String, cause: String) async throws {
    let found = await Diagnosis.bus(["DBUS_SESSION_BUS_ADDRESS": address])
    #expect(found.outcome == .failed && found.detail.hasPrefix(address + " does not answer: "))
    #expect(found.detail.contains(cause), "\(found.detail)")
    let fix = try #require(found.fix)
    #expect(fix.contains("unset DBUS_SESSION_BUS_ADDRESS") && fix.contains("encrypted-file"))
  }

  @Test("no session bus at all is a warning")
  func noBus() async {
    #expect(await Diagnosis.bus([:]).outcome == .warning)
  }

  @Test(
    "a session bus that answers works",
    .enabled(if: PrivateKeyring.isAvailable, "dbus-daemon is not installed"))
  func bus() async throws {
    let keyring = try await PrivateKeyring.start(withService: false)
    defer { keyring.stop() }
    let found = await Diagnosis.bus(keyring.environment)
    #expect(found.outcome == .works, "\(found.detail)")
    #expect(found.detail == keyring.environment["DBUS_SESSION_BUS_ADDRESS"])
  }
}
