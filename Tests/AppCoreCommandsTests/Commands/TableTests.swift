import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

/// Lists on a terminal, in a pipe and in a file.
@Suite(.timeLimit(.minutes(10))) struct TableTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    try await fixture.store(try SampleRecords.varied())
    return fixture
  }

  /// The number of cells of a line; the last column is right-aligned, so all lines have as many.
  private func end(of line: Substring) -> Int { DisplayWidth.of(line) }

  @Test(
    "every row fits the terminal, and the last column is aligned",
    arguments: [
      40, 59, 60, 80, 100, 200,
    ])
  func widths(columns: Int) async throws {
    let ending = await (try fixture()).run("invoices", "list", "--color", "never", columns: columns)
    let lines = ending.output.split(separator: "\n")
    #expect(lines.count == 5, "\(ending.output)")
    #expect(lines.allSatisfy { end(of: $0) <= columns }, "\(ending.output)")
    #expect(Set(lines.map(end(of:))).count == 1, "\(ending.output)")
    if columns < 60 { #expect(!lines[0].contains("DUE")) }
    if columns >= 100 { #expect(lines[0].contains("DUE"), "\(lines[0])") }
    #expect(!ending.output.contains("692c54e1-4429") && ending.output.contains("692c54e1…"))
    #expect(ending.output.contains("1234567.89 EUR") && ending.output.contains("…"))
    #expect(!ending.output.contains("\u{1B}"))
  }

  @Test("a pipe and a file get whole values, without escapes, whatever the colour")
  func pipe() async throws {
    let fixture = try await fixture()
    for variables in [[:], ["COLUMNS": "40"], ["TERM": "dumb"]] {
      let ending = await fixture.run("invoices", "list", variables: variables)
      #expect(ending.output.contains("  692c54e1  ") && !ending.output.contains("692c54e1-"))
      #expect(ending.output.contains("Bräuhof Printing & Söhne"))
      #expect(!ending.output.contains("…") && !ending.output.contains("\u{1B}"))
      let ends = Set(ending.output.split(separator: "\n").map(end(of:)))
      #expect(ends.count == 1, "\(ending.output)")
    }
  }

  @Test("statuses are coloured on a terminal only, and columns stay aligned")
  func colors() async throws {
    let fixture = try await fixture()
    let colored = await fixture.run("invoices", "list", columns: 80).output
    #expect(colored.contains("\u{1B}[32mpaid\u{1B}[0m"), "\(colored)")
    #expect(colored.contains("\u{1B}[31mopen\u{1B}[0m"))
    let plain = await fixture.run("invoices", "list", "--color", "never", columns: 80).output
    #expect(colored.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
    for variables in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let ending = await fixture.run("invoices", "list", variables: variables, columns: 80)
      #expect(ending.output == plain)
    }
    let always = await fixture.run("invoices", "list", "--color", "always").output
    #expect(always.contains("\u{1B}[32mpaid"))
  }

  @Test("the width is the terminal's, or else COLUMNS, or else 80")
  func sources() async throws {
    let fixture = try await fixture()
    let wide = await fixture.run(
      "invoices", "list", variables: ["COLUMNS": "40"], columns: 200
    ).output
    let named = await fixture.run(
      "invoices", "list", variables: ["COLUMNS": "40", "NO_COLOR": "1"], onTerminal: true
    ).output
    let usual = await fixture.run(
      "invoices", "list", variables: ["NO_COLOR": "1"], onTerminal: true
    ).output
    func longest(_ text: String) -> Int { text.split(separator: "\n").map(end(of:)).max() ?? 0 }
    #expect(wide.contains("INV-0044-with-a-long-suffix"))
    #expect(longest(named) <= 40 && (41...80).contains(longest(usual)))
  }

  @Test(
    "a list that is about due days shows them, and leaves out the day of issue first",
    arguments: [(["--overdue"], 80), (["--sort", "dueDate"], 70)])
  func dueDays(options: [String], columns: Int) async throws {
    let fixture = try CommandFixture()
    try await fixture.store([
      try SampleRecords.invoice(
        "a", number: "N-1-with-a-long-suffix", contact: Party(name: "Elmswood Textiles Limited"),
        "2552.67")
    ])
    let list = await fixture.run(
      ["invoices", "list"] + options, variables: ["NO_COLOR": "1"], columns: columns
    ).output
    let header = try #require(list.split(separator: "\n").first)
    #expect(header.contains("DUE ") && !header.contains("DATE"), "\(list)")
    #expect(list.contains("2024-05-31"), "\(list)")
  }

  @Test("a list leaves room on a terminal for its header, its note and the next prompt")
  func height() async throws {
    let fixture = try CommandFixture()
    try await fixture.store(
      try (0..<60).map { try SampleRecords.invoice("i\($0)", number: "N-\($0)") })
    for (rows, shown) in [(24, 21), (50, 47), (4, 1), (2, 1)] {
      let ending = await fixture.run("invoices", "list", columns: 80, rows: rows)
      #expect(ending.output.split(separator: "\n").count == shown + 1)
      #expect(ending.errors == "Showing \(shown) of 60; use --limit 0 for all\n")
    }
    let whole = await fixture.run("invoices", "list", columns: 80, rows: 63)
    #expect(whole.output.split(separator: "\n").count == 61 && whole.errors.isEmpty)
    let pipe = await fixture.run("invoices", "list", rows: 24)
    #expect(pipe.output.split(separator: "\n").count == 61)
  }

  @Test(
    "a terminal without a height shows 30 rows and their number; a pipe, JSON and --limit 0 all")
  func limits() async throws {
    let fixture = try CommandFixture()
    try await fixture.store(
      try (0..<1_040).map { try SampleRecords.invoice("i\($0)", number: "N-\($0)") })
    func lines(_ ending: CommandFixture.Ending) -> Int {
      ending.output.split(separator: "\n").count
    }
    let usual = await fixture.run("invoices", "list", columns: 80)
    #expect(lines(usual) == 31)
    #expect(usual.errors == "Showing 30 of 1 040; use --limit 0 for all\n")
    #expect(lines(await fixture.run("invoices", "list", "--limit", "0", columns: 80)) == 1_041)
    let piped = await fixture.run("invoices", "list")
    #expect(lines(piped) == 1_041 && piped.errors.isEmpty)
    let document = await fixture.run("invoices", "list", "--json", columns: 80)
    #expect(document.output.components(separatedBy: "\"account\"").count == 1_041)
    #expect(document.errors.isEmpty)
    let negative = await fixture.run("invoices", "list", "--limit", "-1")
    #expect(negative.status == .usage && negative.errors.contains("has to be 0 (for all) or more"))
  }

  @Test("a list that matches nothing says on standard error what is hidden")
  func empty() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([
      try SampleRecords.invoice("v", status: .void), try SampleRecords.invoice("o"),
    ])
    let noMatch = "No invoices match; 2 stored, void and deleted ones included\n"
    let ending = await fixture.run("invoices", "list", "--max", "10", "--type", "bill")
    #expect(ending.output.isEmpty && ending.errors == noMatch)
    try await fixture.store([])
    let search = await fixture.run("invoices", "summary", "--currency", "usd")
    #expect(search.output.isEmpty && search.errors == noMatch)
    let hidden = try CommandFixture()
    try await hidden.store([try SampleRecords.invoice("v", status: .void)])
    #expect(
      await hidden.run("invoices", "list").errors
        == "No invoices match; 1 stored, void and deleted ones included; --all finds 1\n")
    #expect(await hidden.run("invoices", "list", "--quiet").errors.isEmpty)
    #expect(await hidden.run("invoices", "list", "--json").errors.isEmpty)
  }
}
