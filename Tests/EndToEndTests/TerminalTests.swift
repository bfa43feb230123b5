import Foundation
import Models
import Storage
import TestSupport
import Testing

@testable import AppCoreCommands

/// Lists of the real program on a pseudo-terminal (`script` of util-linux) and in a pipe.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .cleansUp,
  .enabled(if: ChildProcess.find("script") != nil, "script is not installed"))
struct TerminalTests {
  /// A home with a configuration and a database, and no keyring, which no list needs.
  private func home() async throws -> TemporaryDirectory {
    let home = try TemporaryDirectory()
    _ = try home.write(
      "provider: xero\naccounts: { default: { clientID: a } }\n", to: "config.yaml")
    let database = try await LocalDatabase.open(at: home.file("a.sqlite"))
    let names = ["株式会社サンプル", "👨‍👩‍👧 Family", "Bräuhof Printing & Söhne"]
    let euro = try #require(Currency(code: "EUR"))
    let invoices = try (0..<100).map { number in
      var invoice = Invoice(
        id: "692c54e1-4429-447a-a89a-a872db4c4e\(number)", type: .invoice,
        status: number == 0 ? .paid : .open, rawStatus: "X",
        contact: Party(name: names[number % 3]), currency: euro,
        total: try #require(ExactDecimal("\(number + 1)00.50")))
      invoice.issueDate = CalendarDate("2024-01-01")
      invoice.number = number % 2 == 0 ? "INV-\(number)" : nil
      return invoice
    }
    let store = database.invoiceStore
    let instant = Timestamp(Date())
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "xero", kind: .full, startedAt: instant,
        watermarkBefore: nil))
    var page = PendingPage(source: "xero:1", instant: instant)
    page.records = store.encode(invoices)
    _ = try await run.commit([page])
    try await database.updateIndexes()
    try await database.close()
    return home
  }

  private func environment(_ home: TemporaryDirectory) -> [String: String] {
    var environment = ChildProcess.sanitizerEnvironment
    environment["HOME"] = home.path
    environment["APPCORE_CONFIG"] = home.file("config.yaml")
    environment["APPCORE_DATABASE"] = home.file("a.sqlite")
    environment["TERM"] = "xterm-256color"
    return environment
  }

  private func onTerminal(
    _ arguments: String, columns: Int, in home: TemporaryDirectory,
    _ variables: [String: String] = [:]
  ) async throws -> [String] {
    let script = try #require(ChildProcess.find("script"))
    let program = try ChildProcess.built("appcore")
    let ending = try await ChildProcess(
      script,
      ["-qec", "stty cols \(columns) rows 23; exec '\(program)' \(arguments)", "/dev/null"],
      environment: environment(home).merging(variables) { $1 }
    ).ending()
    #expect(ending.status == 0, "\(ending.output)")
    return ending.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }

  @Test(
    "a list fits the width and the height of the terminal, in colour", arguments: [40, 80, 200])
  func widths(columns: Int) async throws {
    let home = try await home()
    let lines = try await onTerminal("invoices list", columns: columns, in: home)
    #expect(lines.count == 22, "\(lines)")
    #expect(lines.last == "Showing 20 of 100; use --limit 0 for all")
    let rows = lines.dropLast().map { $0.replacing(#/\u{1B}\[[0-9]+m/#, with: "") }
    // At 40 columns the statuses have no room.
    let hasStatus = lines.contains { $0.contains("\u{1B}[33mopen\u{1B}[0m") }
    #expect(hasStatus == (columns >= 80), "\(lines)")
    let widest = try #require(rows.map { DisplayWidth.of($0) }.max())
    #expect(widest <= columns && rows.allSatisfy { $0.hasSuffix("EUR") || $0.hasSuffix("TOTAL") })
    #expect(rows.contains { $0.contains("692c54e1…") })
  }

  @Test("NO_COLOR, TERM=dumb and a pipe leave no escape", arguments: [40, 80, 200])
  func withoutColor(columns: Int) async throws {
    let home = try await home()
    for variables in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let lines = try await onTerminal("invoices list", columns: columns, in: home, variables)
      #expect(lines.count == 22 && !lines.contains { $0.contains("\u{1B}") }, "\(lines)")
    }
    let program = try ChildProcess.built("appcore")
    for command in ["invoices list", "invoices summary", "invoices summary --ageing"] {
      let ending = try await ChildProcess(
        program, command.split(separator: " ").map(String.init), environment: environment(home)
      ).ending()
      #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
      #expect(!ending.output.utf8.contains(0x1B) && !ending.output.contains("…"))
    }
  }
}
