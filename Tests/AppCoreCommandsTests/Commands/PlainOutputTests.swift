import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

/// Commands whose streams are no terminal.
@Suite(.timeLimit(.minutes(10))) struct PlainOutputTests {
  /// Makes every command succeed with something to show, with an account that is signed in.
  private func fixture() async throws -> CommandFixture {
    let rows = #"[{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1.50"}]"#
    let fixture = try await CommandFixture.loggedIn(
      Array(repeating: rows, count: 4),
      resources: """
              contacts:
                path: /contacts
                rows: .
                fields: { id: id, name: number, status: { value: active } }
        """)
    try await fixture.store([
      try SampleRecords.invoice("a"), try SampleRecords.invoice("b", due: "2024-05-02"),
    ])
    return fixture
  }

  @Test(
    "no command writes an escape byte or a carriage return into a pipe",
    arguments: [
      "status", "status --runs 5", "doctor", "invoices summary", "invoices summary --ageing",
      "invoices summary --by contact", "invoices list", "contacts list", "sync contacts",
      "sync all", "sync all --all-accounts", "sync invoices -vv --trace-http",
      "sync invoices --progress json", "config show", "organisations", "logout",
    ])
  func pipe(command: String) async throws {
    let ending = try await fixture().run(command.split(separator: " ").map(String.init))
    #expect(!ending.output.isEmpty || !ending.errors.isEmpty)
    for text in [ending.output, ending.errors] {
      #expect(!text.utf8.contains(0x1B) && !text.utf8.contains(0x0D), "\(text)")
    }
  }

  @Test("a terminal gets escape bytes where a pipe gets none")
  func terminal() async throws {
    let fixture = try await fixture()
    let list = await fixture.run("invoices", "list", variables: ["TERM": "xterm"], columns: 80)
    #expect(list.output.utf8.contains(0x1B))
  }
}
