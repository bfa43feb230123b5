import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct PaymentCommandTests {
  /// Four payments: one pays two invoices, one came back, two share a reference, one is void.
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    var cheque = try SampleRecords.payment(
      "p-1", "12.50", on: "2024-05-01", reference: "cheque 7", pays: ["i-1": "10.00", "i-2": "2"])
    (cheque.method, cheque.contactName) = ("Check", "Żółw & Spółka")
    cheque.unallocatedAmount = ExactDecimal("0.50")
    try await fixture.store(
      [try SampleRecords.invoice("i-1", number: "A-1")],
      payments: [
        cheque,
        try SampleRecords.payment(
          "p-2", "3", type: .refund, on: "2024-06-01", reference: "twice", pays: ["i-2": "3"]),
        try SampleRecords.payment("p-3", "7.25", on: "2024-06-02", reference: "twice"),
        try SampleRecords.payment("p-4", status: .void, on: "2024-06-03"),
      ])
    return fixture
  }

  private func ids(_ ending: CommandFixture.Ending) throws -> [String?] {
    let payments = try #require(try ending.document()["payments"] as? [[String: Any]])
    return payments.map { $0["id"] as? String }
  }

  @Test("a list is the newest first, without void payments, and can be narrowed and sorted")
  func list() async throws {
    let fixture = try await fixture()
    let wanted: [([String], [String])] = [
      ([], ["p-3", "p-2", "p-1"]), (["--all"], ["p-4", "p-3", "p-2", "p-1"]),
      (["--limit", "1"], ["p-3"]), (["--sort", "amount"], ["p-2", "p-3", "p-1"]),
      (["--sort", "-amount"], ["p-1", "p-3", "p-2"]), (["--status", "void,failed"], ["p-4"]),
      (["--type", "refund"], ["p-2"]), (["--currency", "USD"], []),
      (["--contact", "zolw"], ["p-1"]), (["--invoice", "A-1"], ["p-1"]),
      (["--invoice", "i-2"], ["p-2", "p-1"]), (["--month", "2024-05"], ["p-1"]),
      (["--from", "2024-06-02"], ["p-3"]), (["--search", "cheq"], ["p-1"]),
      (["--unallocated"], ["p-1"]), (["--changed-since", "2100-01-01"], []),
      (["--type", "refund", "--month", "2024-05"], []),
    ]
    for (options, found) in wanted {
      let ending = await fixture.run(["payments", "list", "--json"] + options)
      #expect(try ids(ending) == found, "\(options): \(ending)")
    }
  }

  @Test("a table names what each payment pays")
  func table() async throws {
    let fixture = try await fixture()
    let lines = await fixture.run("payments", "list").output.split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasPrefix("DATE"), "\(lines)")
    #expect(lines[3].contains("A-1, i-2") && lines[3].hasSuffix("12.50 EUR"), "\(lines)")
    #expect(lines[1].contains(" twice ") && lines[2].contains(" refund "), "\(lines)")
  }

  @Test("a payment is shown by its id or reference, with what it pays")
  func show() async throws {
    let fixture = try await fixture()
    let text = await fixture.run("payments", "show", "cheque 7").output
    for line in ["amount       12.50 EUR", "unallocated  0.50 EUR", "method       Check"] {
      let words = line.split(separator: " ", maxSplits: 1).map { $0.trimmingPrefix { $0 == " " } }
      let isThere = text.split(separator: "\n").contains { row in
        row.hasPrefix(words[0]) && row.hasSuffix(words[1])
      }
      #expect(isThere, "\(line) in \(text)")
    }
    #expect(text.contains("pays\n  10.00 EUR  A-1\n  2.00 EUR  i-2"), "\(text)")
    let document = try await fixture.run("payments", "show", "p-1", "--json").document()
    let payment = try #require(document["payment"] as? [String: Any])
    #expect(document["schemaVersion"] as? Int == 1)
    #expect(payment["amount"] as? String == "12.50")
    #expect(payment["unallocatedAmount"] as? String == "0.50")
    let parts = try #require(payment["allocations"] as? [[String: Any]])
    #expect(parts.map { $0["invoiceID"] as? String } == ["i-1", "i-2"])
    #expect(parts.map { $0["amount"] as? String } == ["10.00", "2"])
  }

  @Test("an unknown or ambiguous payment ends in 1")
  func showErrors() async throws {
    let fixture = try await fixture()
    let absent = await fixture.run("payments", "show", "none", "--json")
    #expect(absent.status == .unclassified && absent.output.isEmpty)
    #expect(try absent.failure()["code"] as? String == "not-found")
    let ambiguous = await fixture.run("payments", "show", "TWICE", "--json")
    #expect(try ambiguous.failure()["code"] as? String == "ambiguous")
    #expect((try ambiguous.failure()["message"] as? String)?.contains("p-2, p-3") == true)
  }

  @Test("an unknown type or status is a usage error with the available ones")
  func unknown() async throws {
    let fixture = try CommandFixture()
    for (option, list) in [("type", "receipt, "), ("status", "completed, ")] {
      let ending = await fixture.run("payments", "list", "--\(option)", "lost")
      #expect(ending.status == .usage, "\(option)")
      #expect(ending.errors.contains("'lost'; available: \(list)"), "\(ending.errors)")
    }
  }

  @Test("an export holds every payment in each of its forms, or a row for each document paid")
  func export() async throws {
    let fixture = try await fixture()
    let csv = await fixture.run("payments", "export").output.split(separator: "\r\n")
    #expect(csv.count == 5 && csv[0].hasPrefix("account,id,date,type,status,"), "\(csv)")
    #expect(csv[4].hasPrefix("default,p-4,2024-06-03,receipt,void,"), "\(csv)")
    #expect(try ids(await fixture.run("payments", "export", "--format", "json")).count == 4)
    let jsonl = await fixture.run("payments", "export", "--format", "jsonl").output
    #expect(jsonl.split(separator: "\n").count == 4)
    let narrow = await fixture.run("payments", "export", "--type", "refund", "--json")
    #expect(try ids(narrow) == ["p-2"])
    let parts = await fixture.run("payments", "export", "--allocations").output
      .split(separator: "\r\n")
    #expect(parts.count == 6 && parts[0].contains(",allocationInvoiceID,"), "\(parts)")
    #expect(parts.filter { $0.hasPrefix("default,p-1,") }.count == 2, "\(parts)")
  }

  @Test("an empty list says what to do, and an export of nothing is a whole document")
  func empty() async throws {
    let fixture = try CommandFixture()
    let none = await fixture.run("payments", "list")
    #expect(none.status == .done && none.output.isEmpty)
    #expect(none.errors.hasPrefix("acme lists no payments"), "\(none.errors)")
    #expect(try ids(await fixture.run("payments", "export", "--json")) == [])
    try await fixture.store(
      [], payments: [try SampleRecords.payment("p-1", status: .void)])
    let unmatched = await fixture.run("payments", "list")
    #expect(
      unmatched.errors == "No payments match; 1 stored, void and deleted ones included\n")
    #expect(try ids(await fixture.run("payments", "list", "--json")) == [])
  }
}
