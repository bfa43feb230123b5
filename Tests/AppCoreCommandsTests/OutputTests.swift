import Authentication
import Foundation
import Models
import Sync
import Testing

@testable import AppCoreCommands
@testable import Storage

@Suite(.timeLimit(.minutes(10))) struct OutputTests {
  @Test("absent values are written as null")
  func nulls() {
    struct Document: Encodable {
      let a = Nullable<String>(nil)
      let b = Nullable("x")
    }
    #expect(JSONText.encode(Document()) == #"{"a":null,"b":"x"}"#)
  }

  @Test("JSON is one line, and indented for a terminal; what is empty stays on its line")
  func json() throws {
    struct Document: Encodable {
      let list = ["a,b:[]{}\"\\", "c/d\n"]
      let empty: [Int] = []
      let nested: [String: [Int]] = ["none": [], "one": [1, 2]]
      let object: [String: Int] = [:]
    }
    let compact = JSONText.encode(Document())
    #expect(
      compact
        == #"{"empty":[],"list":["a,b:[]{}\"\\","c/d\n"],"nested":{"none":[],"one":[1,2]},"object":{}}"#
    )
    #expect(
      JSONText.encode(Document(), isPretty: true) == #"""
        {
          "empty": [],
          "list": [
            "a,b:[]{}\"\\",
            "c/d\n"
          ],
          "nested": {
            "none": [],
            "one": [
              1,
              2
            ]
          },
          "object": {}
        }
        """#)
    #expect(JSONText.indented("[]") == "[]" && JSONText.indented(#""\\""#) == #""\\""#)
  }

  @Test("an export is the document that the writer of JSON would make of it, empty or not")
  func export() throws {
    struct Document: Encodable {
      let schemaVersion = 1
      let invoices: [InvoiceDocument]
    }
    let euro = try #require(Currency(code: "EUR"))
    let invoice = StoredInvoice(
      account: "a",
      invoice: Invoice(
        id: "1", type: .invoice, status: .open, rawStatus: "OPEN",
        currency: euro, total: .zero),
      deletedAt: nil, deletedReason: nil, syncedAt: Timestamp(microsecondsSinceEpoch: 0))
    for isPretty in [true, false] {
      for invoices in [[], [invoice], [invoice, invoice]] {
        let writer = JSONExport(isPretty: isPretty)
        let text = invoices.enumerated().reduce(writer.beginning) { text, next in
          text + writer.text(of: next.element, isFirst: next.offset == 0)
        }
        let document = Document(invoices: invoices.map { InvoiceDocument($0) })
        #expect(
          text + writer.end(isEmpty: invoices.isEmpty)
            == JSONText.encode(document, isPretty: isPretty) + "\n")
      }
    }
  }

  private struct Report: Decodable {
    struct Content: Decodable {
      struct Record: Decodable { let id: String?, path: String, reason: String }
      let code: String
      let exitCode: Int
      let retryable: Bool
      let hint: String?
      let resource: String?
      let records: [Record]?
    }
    let error: Content
    let errors: [Content]?
  }

  private func report(_ failures: Failures) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(failures.text(asJSON: true).utf8))
  }

  @Test("several failures are one object: what does not pass by itself decides, and all are there")
  func several() throws {
    var first = Failure(SyncError.serverFailed(status: 503))
    first.resource = "invoices"
    var second = Failure(
      .unreadableData, "unreadable-data", "1 of the contacts cannot be read", "Try again.")
    second.resource = "contacts"
    second.records = [RowFailure(id: "c", path: "Name", reason: "a text was expected")]
    let failures = try #require(Failures([first, second]))
    let report = try report(failures)
    #expect(failures.first.status == .unreadableData && report.error.exitCode == 65)
    #expect(report.errors?.map(\.code) == ["server-failed", "unreadable-data"])
    #expect(report.errors?.map(\.resource) == ["invoices", "contacts"])
    #expect(report.error.records?.map(\.id) == ["c"] && report.error.records?.first?.path == "Name")
    let text = failures.text(asJSON: false)
    #expect(text.contains("appcore: invoices: ") && text.contains("appcore: contacts: 1 of the"))
    #expect(Failures([]) == nil)
  }

  @Test(
    "what goes wrong while a command that failed is closed is told beside it, and nothing twice")
  func closing() throws {
    let busy = StorageError.busy(path: "a")
    let lost = AuthenticationError.notSaved(account: "a", underlying: CancellationError())
    let both = try report(Failures(busy, closing: lost))
    #expect(both.error.code == "database-busy")
    #expect(both.errors?.map(\.code) == ["database-busy", "login-not-saved"])
    #expect(try report(Failures(busy, closing: busy)).errors == nil)
    let ended = try report(Failures(CommandEnded(status: .unclassified), closing: lost))
    #expect(ended.error.code == "login-not-saved" && ended.errors == nil)
    let nested = Failures(Failures(busy, closing: lost), closing: busy)
    #expect(nested.all.map(\.code) == ["database-busy", "login-not-saved"])
  }

  @Test("control characters of a server do not reach the terminal")
  func controlCharacters() {
    #expect(printable("a\u{1B}[2Jb\u{7}é") == "a\u{FFFD}[2Jb\u{FFFD}é")
  }

  @Test("a cancelled command is interrupted, an unknown error unclassified and without its text")
  func failures() {
    struct Unknown: Error { let token = "canary" }
    #expect(Failure(CancellationError()).status == .interrupted)
    #expect(Failure(Unknown()).status == .unclassified)
    #expect(!Failures(Unknown()).text(asJSON: true).contains("canary"))
  }

  @Test("a sync that is under way elsewhere is 75, and worth trying again")
  func alreadyRunning() {
    let failure = Failure(SyncError.alreadyRunning(account: "default"))
    #expect(failure.status == .tryAgainLater && failure.status.rawValue == 75)
    #expect(failure.isRetryable && failure.code == "already-running")
  }

  @Test("usage errors are 64, help is 0")
  func usage() async {
    #expect(await CommandLineProgram.run(["invoices", "list", "--limit", "0"]) == .usage)
    #expect(await CommandLineProgram.run(["invoices", "list", "--from", "yesterday"]) == .usage)
    #expect(await CommandLineProgram.run(["sync", "--help"]) == .done)
  }

  @Test("a QR code has its three corner marks, a quiet zone, and is square on a terminal")
  func qrCode() throws {
    let text = try #require(QRCode("https://example.com/device?user_code=BCDF-GHJK")).text
    let lines = text.split(separator: "\n").map(Array.init)
    let width = try #require(lines.first?.count)
    #expect(lines.allSatisfy { $0.count == width } && lines.count == (width + 1) / 2)
    #expect(lines[0].allSatisfy { $0 == "\u{2588}" } && lines[1].allSatisfy { $0 == "\u{2588}" })
    // The outer ring of a mark is seven dark modules: four of quiet zone, then the mark.
    for column in [4, width - 11] {
      #expect(lines[2][column] == " " && lines[2][column + 6] == " ")
      #expect(lines[2][column + 1...column + 5].allSatisfy { $0 == "\u{2584}" })
    }
    #expect(QRCode(String(repeating: "x", count: 5_000)) == nil)
  }
}
