import Documents
import Foundation
import Models
import Storage
import Sync
import Testing

@testable import AppCoreC

/// The options of a caller, as queries and choices of a sync.
@Suite(.timeLimit(.minutes(1))) struct QueryTests {
  private func query(_ json: String) throws -> InvoiceQuery {
    try Choices.read(json, "query") { try InvoiceQuery(&$0, defaultAccount: "a") }
  }

  private func sync(_ json: String?) throws -> SyncOptions {
    guard let json else { return try Choices.read(nil, "options") { try SyncOptions(&$0) } }
    return try Choices.read(json, "options") { try SyncOptions(&$0) }
  }

  private func refusal(_ read: () throws -> some Any) -> String? {
    do { _ = try read() } catch Misuse.badArgument(let message) { return message } catch {
      return "\(error)"
    }
    return nil
  }

  @Test("a range of days that ends before it begins is refused, as the program refuses it")
  func days() throws {
    let message = refusal { try query(#"{"from": "2024-03", "to": "2024-02"}"#) }
    #expect(message == "from 2024-03-01 is after to 2024-02-29")
    let month = try query(#"{"from": "2024-03", "to": "2024-03-01"}"#)
    #expect("\(month.issuedFrom.map { "\($0)" } ?? "")" == "2024-03-01")
    #expect(month.issuedFrom == month.issuedThrough)
  }

  @Test("a range of amounts that ends before it begins is refused, as the program refuses it")
  func amounts() throws {
    #expect(refusal { try query(#"{"min": "2", "max": "1.99"}"#) } == "max is less than min")
    let same = try query(#"{"min": "2.0", "max": "2"}"#)
    #expect(same.minimumTotal == same.maximumTotal)
  }

  @Test("a query for issued invoices leaves out the others, whatever else it asks for")
  func issued() throws {
    #expect(try query(#"{"issued": true, "all": true}"#).issuedOnly)
    #expect(try !query("{}").issuedOnly)
  }

  @Test("a page after another one is read in the order of that one only")
  func after() throws {
    let end = #"{"order":"-total","row":7,"values":[{"text":{"_0":"EUR"}},{"real":{"_0":1.5}}]}"#
    let text = Data(end.utf8).base64EncodedString()
    let next = try query(#"{"sort": "-total", "after": "\#(text)"}"#)
    #expect(next.after.flatMap { RowPosition("\($0)") } == next.after && next.after != nil)
    for other in ["{\"after\": \"\(text)\"}", #"{"after": "?"}"#] {
      #expect(refusal { try query(other) } == "after is no 'next' of a page in this order")
    }
  }

  @Test("a page of payments or contacts after another one is read in the order of that one only")
  func afterOthers() throws {
    func payments(_ text: String) throws -> PaymentQuery {
      try Choices.read(text, "query") { try PaymentQuery(&$0, defaultAccount: "a") }
    }
    func contacts(_ text: String) throws -> ContactQuery {
      try Choices.read(text, "query") { try ContactQuery(&$0, defaultAccount: "a") }
    }
    func position(_ order: String) -> String {
      Data(#"{"order":"\#(order)","row":7,"values":[{"null":{}}]}"#.utf8).base64EncodedString()
    }
    let day = position("payments:-date")
    #expect(try payments(#"{"sort": "-date", "after": "\#(day)"}"#).after != nil)
    let name = position("contacts:name")
    #expect(try contacts(#"{"sort": "name", "after": "\#(name)"}"#).after != nil)
    let message = "after is no 'next' of a page in this order"
    #expect(refusal { try payments(#"{"sort": "date", "after": "\#(day)"}"#) } == message)
    #expect(refusal { try payments(#"{"sort": "-date", "after": "\#(name)"}"#) } == message)
    #expect(refusal { try contacts(#"{"sort": "name", "after": "\#(day)"}"#) } == message)
  }

  @Test("payments are chosen by what they pay, their day and their direction")
  func payments() throws {
    let period = #""from": "2024-Q1", "to": "2024-Q1""#
    let text = #"{"type": "receipt,refund", "invoice": "INV-1", \#(period)}"#
    let found = try Choices.read(text, "query") { try PaymentQuery(&$0, defaultAccount: "a") }
    var expected = PaymentQuery()
    (expected.account, expected.types, expected.invoice) = ("a", [.receipt, .refund], "INV-1")
    expected.from = CalendarDate(year: 2024, month: 1, day: 1)
    expected.through = CalendarDate(year: 2024, month: 3, day: 31)
    #expect(found == expected)
    let changed = try Choices.read(#"{"account": "*", "changedSince": "2024-01-01"}"#, "query") {
      try PaymentQuery(&$0, defaultAccount: "a")
    }
    #expect(changed.accounts == nil && changed.includesVoidAndDeleted)
  }

  @Test("files are chosen by their kind, and by their invoice or filters of invoices")
  func files() throws {
    func wanted(_ json: String) throws -> WantedDocuments {
      try Choices.read(json, "options") { try WantedDocuments(&$0, account: "a") }
    }
    let bills = try wanted(
      #"{"kind": "pdf,ubl", "type": "bill", "limit": 3, "refresh": "never", "dryRun": true}"#)
    #expect(bills.options.kinds == [.pdf, .ubl] && bills.options.refresh == .never)
    #expect(bills.options.invoices.account == "a" && bills.options.invoices.types == [.bill])
    #expect(bills.options.limit == 3 && bills.options.isDryRun)
    let one = try wanted(#"{"invoice": "INV-1"}"#)
    #expect(one.chosen.invoice == "INV-1" && one.options.kinds == nil)
    #expect(one.options.refresh == .changed && one.options.maximumWait == .seconds(60))
    #expect(
      refusal { try wanted(#"{"invoice": "INV-1", "unpaid": true}"#) }
        == "invoice cannot be combined with filters of invoices")
    #expect(
      refusal { try wanted(#"{"kind": "photo"}"#) }?.contains("'photo'") == true)
  }

  @Test("an export needs one destination, and one way to treat files that exist")
  func exports() throws {
    func export(_ json: String) throws -> WantedExport {
      try Choices.read(json, "options") { try WantedExport(&$0, account: "*") }
    }
    let refused = [
      "{}": "name a folder, or a zip",
      #"{"folder": "/a", "zip": "/b"}"#: "name a folder, or a zip",
      #"{"folder": "a"}"#: "folder must be an absolute path",
      #"{"zip": "/b", "clobber": true}"#: "zip, skipExisting and clobber exclude each other",
      #"{"folder": "/b", "skipExisting": true, "clobber": true}"#:
        "zip, skipExisting and clobber exclude each other",
    ]
    for (json, message) in refused { #expect(refusal { try export(json) } == message) }
    #expect(refusal { try export(#"{"folder": "/a", "clobber": true}"#) } == nil)
  }

  @Test("an amount keeps all its digits, as a text and as a number")
  func digits() throws {
    let query = try query(#"{"min": 0.10000000000000000001, "max": "0.10000000000000000001"}"#)
    #expect(query.minimumTotal == ExactDecimal("0.10000000000000000001"))
    #expect(query.minimumTotal == query.maximumTotal)
  }

  @Test("an option of each kind is read, and one that is absent or null has its default")
  func options() throws {
    let chosen = try sync(
      #"""
      {"dryRun": true, "wait": false, "allowMassDeletion": true, "since": "2026-01-01",
       "limit": 7, "maxDurationSeconds": 1.5, "maxWaitSeconds": null}
      """#)
    #expect(chosen.isDryRun && !chosen.isFull && chosen.since == Timestamp("2026-01-01T00:00:00Z"))
    #expect(chosen.maximumLockWait == .zero && chosen.maximumDeletedPercent == 100)
    #expect(chosen.limit == 7 && chosen.maximumDuration == .milliseconds(1_500))
    for plain in try [sync(nil), sync("{}"), sync(#"{"limit": null, "wait": true}"#)] {
      #expect(!plain.isDryRun && plain.limit == nil && plain.maximumLockWait == nil)
      #expect(plain.maximumWait == .seconds(60) && plain.maximumDeletedPercent == nil)
    }
  }

  @Test("an unknown member is refused with the names of the known ones")
  func unknown() {
    #expect(
      refusal { try sync(#"{"dryrun": true}"#) }
        == "options has the unknown member 'dryrun'; available: full, verify, dryRun, "
        + "sameOrganisation, allowMassDeletion, wait, limit, maxDurationSeconds, "
        + "maxWaitSeconds, since"
    )
  }

  @Test(
    "a value that an option cannot have is refused, and never shown",
    arguments: [
      #"{"full": "canary"}"#, #"{"since": ["canary"]}"#, #"{"limit": "canary"}"#,
      #"{"limit": 0}"#, #"{"limit": 1.5}"#, #"{"limit": 9223372036854775808}"#,
      #"{"maxDurationSeconds": 0}"#, #"{"maxDurationSeconds": 1e300}"#, #"{"full": tru}"#,
      #"["canary"]"#, #""canary""#, "canary", "", #"{"full": true"#, "{} canary",
    ])
  func wrong(json: String) throws {
    let message = try #require(refusal { try sync(json) })
    #expect(!message.contains("canary"), "\(message)")
  }
}
