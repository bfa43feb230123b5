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
}
