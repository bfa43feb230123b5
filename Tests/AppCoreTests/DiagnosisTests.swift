import Authentication
import SecureStore
import TestSupport
import Testing

@testable import AppCore

/// The checks of a diagnosis: their order, failures and time limits.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DiagnosisTests {
  @Test("a server that does not answer fails its check, and the other checks end")
  func timeout() async throws {
    let found = await ["silent", "fast"].concurrentMap { name -> Finding in
      let limit: Duration = name == "silent" ? .milliseconds(20) : .seconds(3_600)
      return await Finding.check(name, within: limit) {
        if name == "silent" { await Gate().wait() }
        return "answers"
      }
    }
    #expect(found.map(\.name) == ["silent", "fast"])
    #expect(found.map(\.outcome) == [.failed, .works])
    #expect(found[0].detail == "no answer within 1 s" && found[0].fix != nil)
  }

  @Test("findings keep the order of their names, whichever ends first")
  func order() async throws {
    let names = (0..<30).map { "account\($0)" }
    let firstMayEnd = Gate()
    let found = await names.concurrentMap { name -> Finding in
      if name == names[0] {
        await firstMayEnd.wait()
      } else if name == names[29] {
        firstMayEnd.open()
      }
      return Finding(name, "a")
    }
    #expect(found.map(\.name) == names)
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

  @Test("unused logins that cannot be looked for are a failure, not none")
  func unusedLogins() async throws {
    let folder = try TemporaryDirectory()
    var configuration = CoreConfiguration()
    var firm = AccountConfiguration(provider: "xero")
    firm.clientID = "c"
    var shop = firm
    shop.login = "firm"
    shop.tenantID = "t"
    configuration.accounts = ["firm": firm, "shop": shop]
    let core = try ApplicationCore(configuration, in: folder, store: UnreadableStore())
    let found = await core.unusedLogins()
    #expect(found.map(\.name) == ["unused logins"] && found.first?.outcome == .failed)
    guard case AuthenticationError.secretStoreUnavailable(_, .locked)? = found.first?.error else {
      Issue.record("\(String(describing: found.first?.error))")
      return
    }
  }

  @Test(
    "clocks that differ by more than a minute are a warning that names the difference",
    arguments: [(61.2, "61 s behind"), (-90.0, "90 s ahead of")])
  func clock(skew: Double, difference: String) throws {
    let found = try #require(Diagnosis.clock("shop", skew: skew))
    #expect(found.name == "clock" && found.outcome == .warning)
    #expect(
      found.detail == "this computer's clock is \(difference) the server of account 'shop'")
    #expect(found.fix == "Set the clock: timedatectl set-ntp true")
  }

  @Test("clocks that agree within a minute are no finding", arguments: [0, 60.0, -60.0])
  func sameTime(skew: Double) {
    #expect(Diagnosis.clock("shop", skew: skew) == nil)
  }

  @Test("less than 200 MB of free space is a warning")
  func room() {
    let little = Diagnosis.room("database folder", "/data", bytes: (200 << 20) - 1)
    #expect(little.outcome == .warning && little.detail == "/data, only 199 MB free")
    #expect(little.name == "database folder" && little.fix == "Make room on the disk.")
    let enough = Diagnosis.room("database folder", "/data", bytes: 200 << 20)
    #expect(enough.outcome == .works && enough.detail == "/data, 200 MB free")
    #expect(enough.fix == nil)
  }
}

/// A store that is available and lets nobody read it.
private struct UnreadableStore: SecretStore {
  let identity = "unreadable"

  func secret(for key: SecretKey) async throws -> Secret? { throw SecretStoreError.locked }

  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {}

  func removeSecret(for key: SecretKey) async throws -> Bool { false }

  func unlock() async throws {}

  func checkAvailability() async throws -> SecretStoreDescription {
    try await InMemorySecretStore().checkAvailability()
  }
}
