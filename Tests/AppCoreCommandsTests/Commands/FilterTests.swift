import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

/// The options that select invoices, which list, summary and export share.
@Suite(.timeLimit(.minutes(10))) struct FilterTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let invoices = [
      try SampleRecords.invoice("a", number: "INV-0115", "1000.00", issued: "2024-03-31"),
      try SampleRecords.invoice("b", "1000.01", "USD", status: .paid, issued: "2024-04-01"),
      try SampleRecords.invoice("c", "-5", "JPY", type: .creditNote, issued: "2023-12-31"),
      try SampleRecords.invoice("d", "99", type: .bill, status: .draft, issued: "2024-04-30"),
    ]
    try await fixture.store(invoices, at: Timestamp(microsecondsSinceEpoch: 1))
    return fixture
  }

  private func ids(_ ending: CommandFixture.Ending) throws -> String {
    let invoices = try #require(try ending.document()["invoices"] as? [[String: Any]])
    return invoices.compactMap { $0["id"] as? String }.sorted().joined()
  }

  @Test(
    "a range of days that ends before it begins is refused",
    arguments: [["invoices", "list"], ["invoices", "summary"], ["report", "--html", "-"]])
  func emptyRange(command: [String]) async throws {
    let fixture = try await fixture()
    let ending = await fixture.run(command + ["--from", "2024-03", "--to", "2024-02"])
    #expect(ending.status == .usage && ending.output.isEmpty)
    #expect(
      ending.errors.contains("--from 2024-03-01 is after --to 2024-02-29."), "\(ending.errors)")
    let same = await fixture.run(command + ["--from", "2024-03", "--to", "2024-03-01"])
    #expect(same.status == .done, "\(same.errors)")
  }

  @Test("a list of overdue invoices shows the amounts due")
  func overdue() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([
      try SampleRecords.invoice("a", number: "A-1", "12.50", due: "2024-05-31")
    ])
    let lines = await fixture.run("invoices", "list", "--overdue").output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasSuffix("AMOUNT DUE"), "\(lines)")
    #expect(lines[1].hasSuffix("12.50 EUR   12.50 EUR"), "\(lines)")
    #expect(!(await fixture.run("invoices", "list").output.contains("AMOUNT DUE")))
  }

  @Test(
    "each filter selects the same invoices in a list and an export",
    arguments: [
      (["--type", "bill"], "d"), (["--type", "bill,credit-note"], "cd"),
      (["--currency", "usd"], "b"), (["--currency", "USD,jpy"], "bc"),
      (["--min", "1000"], "ab"), (["--min", "1000.001"], "b"), (["--max", "-5.00"], "c"),
      (["--min", "99.0", "--max", "1000"], "ad"), (["--month", "2024-04"], "bd"),
      (["--quarter", "2024-Q1"], "a"), (["--year", "2024"], "abd"), (["--year", "last"], ""),
      (["--unpaid"], "ac"), (["--unpaid", "--type", "invoice"], "a"),
      (["--issued"], "abc"), (["--issued", "--changed-since", "1969"], "abc"),
      (["--unpaid", "--status", "draft"], ""), (["--changed-since", "yesterday"], ""),
      (["--changed-since", "1969-12-31"], "abcd"),
      (["--changed-since", "1969", "--unpaid"], "ac"),
      (["--from", "2024-04"], "bd"), (["--to", "2024-03"], "ac"), (["--to", "2023"], "c"),
      (["--from", "2024"], "abd"), (["--from", "30d"], ""), (["--to", "yesterday"], "abcd"),
      (["--status", "open,paid"], "abc"), (["--status", "paid", "--status", "draft"], "bd"),
      (["--status", "open", "--type", "invoice", "--currency", "EUR", "--min", "1"], "a"),
    ])
  func filters(arguments: [String], wanted: String) async throws {
    let fixture = try await fixture()
    #expect(try ids(await fixture.run(["invoices", "list", "--json"] + arguments)) == wanted)
    #expect(try ids(await fixture.run(["invoices", "export", "--json"] + arguments)) == wanted)
    let summary = try await fixture.run(["invoices", "summary", "--json"] + arguments).document()
    let months = try #require(summary["months"] as? [[String: Any]])
    #expect(months.compactMap { $0["count"] as? Int }.reduce(0, +) == wanted.count)
  }

  @Test("what has changed since an instant says whether it is new, changed or deleted")
  func changes() async throws {
    let fixture = try CommandFixture()
    let (before, later) = (Date(timeIntervalSince1970: 0), Date().addingTimeInterval(-60))
    let old = [
      try SampleRecords.invoice("a", number: "A-1", "1"),
      try SampleRecords.invoice("b", number: "B-1", "1"),
      try SampleRecords.invoice("c", number: "C-1", "1"),
    ]
    try await fixture.store(old, at: Timestamp(before))
    let new = [
      try SampleRecords.invoice("a", number: "A-1", "1"),
      try SampleRecords.invoice("b", number: "B-1", "2"),
      try SampleRecords.invoice("c", number: "C-1", "1", status: .deleted),
      try SampleRecords.invoice("d", number: "D-1", "1"),
    ]
    try await fixture.store(new, at: Timestamp(later))
    let list = ["invoices", "list", "--changed-since", "yesterday"]
    let lines = await fixture.run(list).output.split(separator: "\n").dropFirst()
    func change(_ number: String) -> Substring? {
      lines.first { $0.contains(number) }?.prefix { $0 != " " }
    }
    #expect(change("A-1") == nil && change("B-1") == "changed", "\(lines)")
    #expect(change("C-1") == "deleted" && change("D-1") == "new", "\(lines)")
    let document = try await fixture.run(list + ["--json"]).document()
    let found = try #require(document["invoices"] as? [[String: Any]])
    let kinds = Dictionary(
      uniqueKeysWithValues: found.map { ($0["id"] as? String, $0["change"] as? String) })
    #expect(kinds == ["b": "updated", "c": "deleted", "d": "inserted"])
    let all = try await fixture.run("invoices", "list", "--json").document()
    #expect((all["invoices"] as? [[String: Any]])?.contains { $0["change"] != nil } == false)
  }

  @Test("invoices are ordered by currency and amount due, without a due one first")
  func amountDue() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([
      try SampleRecords.invoice("a", "9"), try SampleRecords.invoice("b", "10"),
      try SampleRecords.invoice("c", "70", status: .paid),
      try SampleRecords.invoice("d", "1", "USD"),
    ])
    for (order, wanted) in [("amountDue", "cabd"), ("-amountDue", "dbac")] {
      let ending = await fixture.run("invoices", "list", "--json", "--sort", order)
      let found = try #require(try ending.document()["invoices"] as? [[String: Any]])
      #expect(found.compactMap { $0["id"] as? String }.joined() == wanted)
    }
  }

  @Test(
    "a wrong value is a usage error that names the right ones",
    arguments: [
      (["--type", "bil"], "available: invoice, credit-note, bill, bill-credit"),
      (["--status", "open,"], "unknown status ''"), (["--currency", "euro"], "such as EUR"),
      (["--min", "1,5"], "such as 1000 or 99.95"), (["--month", "2024"], "such as 2026-03"),
      (["--from", "soon"], "30d"),
      (["--month", "2024-01", "--from", "2024"], "cannot be combined"),
      (["--issued", "--all"], "--issued and --all exclude each other"),
      (["--min", "2", "--max", "1"], "less than --min"),
    ])
  func wrong(arguments: [String], message: String) async throws {
    let ending = try await CommandFixture().run(["invoices", "list"] + arguments)
    #expect(ending.status == .usage && ending.errors.contains(message), "\(ending.errors)")
  }

  @Test("an invoice is found in any case, or by the beginning of its id")
  func show() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([
      try SampleRecords.invoice("692c54e1-4429-447a", number: "INV-0115"),
      try SampleRecords.invoice("692c54e1-ffff-447a", number: "Dup"),
      try SampleRecords.invoice("3", number: "dup"),
    ])
    for name in ["inv-0115", "692c54e1-4", "692C54E1-4429-447A"] {
      let ending = await fixture.run("invoices", "show", name)
      #expect(ending.output.contains("INV-0115"), "\(name): \(ending.errors)")
    }
    #expect(await fixture.run("invoices", "show", "dup").output.contains("id         3\n"))
    let several = await fixture.run("invoices", "show", "DUP")
    #expect(several.status == .unclassified)
    #expect(
      several.errors.contains("2 invoices match 'DUP': ") && several.errors.contains("dup (3)"),
      "\(several.errors)")
    #expect(await fixture.run("invoices", "show", "692c54e1").errors.contains("2 invoices match"))
    #expect(await fixture.run("invoices", "show", "692c").errors.contains("no invoice has"))
  }
}
