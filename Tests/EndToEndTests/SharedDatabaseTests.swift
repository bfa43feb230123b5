import Foundation
import Sandbox
import TestSupport
import Testing

/// Programs that share a database, and nothing else that they write.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct SharedDatabaseTests {
  private struct Report: Decodable {
    let inserted: Int
    let requests: Int
  }

  // Edge case 53
  @Test("programs with state folders of their own sync one database one after the other")
  func stateFolders() async throws {
    let fixture = try await ProgramFixture {
      $0.source = .generated(invoices: 1_000, seed: 5)
      $0.latency = .milliseconds(50)
    }.signedIn()
    let program = try ChildProcess.built("appcore")
    let both = try (0..<2).map { number in
      var environment = fixture.environment
      environment["XDG_STATE_HOME"] = fixture.keyring.home.file("state\(number)")
      return try ChildProcess(program, ["sync", "invoices", "--json"], environment: environment)
    }
    var reports: [Report] = []
    for program in both {
      let ending = await program.ending()
      #expect(ending.status == 0, "\(ending.errors)")
      reports.append(try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8)))
    }
    reports.sort { $0.inserted > $1.inserted }
    // The second run fetches the changes since the first, once; concurrently it would read
    // everything.
    #expect(reports.map(\.inserted) == [1_000, 0] && reports.last?.requests == 1)
    #expect(try await fixture.stored() == fixture.served())
  }
}
