import AppCore
import Foundation
import JSONReading
import Models
import SyncSupport
import Synchronization
import TestSupport
import Testing

@testable import Presentation
@testable import SingerTap
@testable import Storage

/// A database whose records change by chance, with a tap over it.
struct TapFixture {
  let database: LocalDatabase
  let folder: TemporaryDirectory
  private var random: SeededRandom
  private var time: Int64 = 1_700_000_000_000_000

  init(seed: UInt64 = 1) async throws {
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    random = SeededRandom(seed: seed)
  }

  /// Returns what a run of the tap writes.
  func messages(
    _ state: String = "{}", _ catalog: SingerCatalog = SingerCatalog(),
    accounts: [String]? = nil, lists: [String: [Resource]] = [:], configuration: String = "{}"
  ) async throws -> String {
    try await run(
      state, catalog, accounts: accounts, lists: lists, configuration: configuration
    ).messages
  }

  /// Returns what a run of the tap writes, and what it has to say besides.
  func run(
    _ state: String = "{}", _ catalog: SingerCatalog = SingerCatalog(),
    accounts: [String]? = nil, lists: [String: [Resource]] = [:], configuration: String = "{}"
  ) async throws -> (messages: String, ending: SingerTap.Ending) {
    let tap = SingerTap(
      try SingerConfiguration(json: configuration, source: "tap.json"), accounts: accounts,
      lists: lists,
      catalog,
      try SingerState(json: state, source: "state.json"), at: Timestamp(Date()))
    let text = Mutex<[UInt8]>([])
    let ending = try await tap.write(database) { piece in text.withLock { $0 += piece } }
    return (String(decoding: text.withLock(\.self), as: UTF8.self), ending)
  }

  /// Stores records as one page of a run, which then ends unless it is interrupted.
  mutating func store<Record>(
    _ records: [Record], in store: ResourceStore<Record>, account: String = "default",
    removing removals: [Removal] = [], ends: Bool = true
  ) async throws {
    time += 1_000_000
    let instant = Timestamp(microsecondsSinceEpoch: time)
    let run = try await store.beginRun(
      RunStart(
        account: account, provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: instant)
    (page.records, page.removals) = (store.encode(records), removals)
    _ = try await run.commit([page])
    guard ends else { return }
    try await run.end(RunEnd(result: .complete, watermark: nil, requests: 1, endedAt: instant))
  }

  /// Makes a change by chance: of a record or of several, of one of three accounts.
  mutating func change() async throws {
    let account = random.one(of: ["default", "second", "third"])
    switch random.below(20) {
    case 0: try await database.forgetRecords(account: account)
    case 1:
      let name = random.one(of: ["default", "second", "third", "fourth"])
      if try await database.contents(account: name).isEmpty {
        _ = try await database.renameAccount(account, to: name)
      }
    case 2...4:
      let id = "\(random.below(9))"
      try await store(
        [Invoice](), in: database.invoiceStore, account: account,
        removing: [Removal(id: id, reason: "gone")])
    case 5...7: try await store([contact()], in: database.contactStore, account: account)
    case 8...9: try await store([try payment()], in: database.paymentStore(), account: account)
    default:
      let count = random.within(1...4)
      let invoices = try (0..<count).map { _ in try invoice() }
      // A page names a record once.
      let all = Dictionary(invoices.map { ($0.id, $0) }) { $1 }.values.sorted { $0.id < $1.id }
      try await store(all, in: database.invoiceStore, account: account)
    }
  }

  private mutating func invoice() throws -> Invoice {
    var invoice: Invoice = SampleFields.record()
    invoice.id = "\(random.below(9))"
    invoice.status = random.one(of: InvoiceStatus.allCases)
    invoice.version = nil
    invoice.number = "N-\(random.below(1_000)) \"ü\\\u{1}"
    invoice.contact.id = "c\(random.below(3))"
    if random.chance(50) { invoice.contact.name = nil }
    if random.chance(30) { invoice.contact.address = nil }
    if random.chance(30) { invoice.dueDate = nil }
    invoice.total = try #require(
      ExactDecimal(random.one(of: ["12345678901234567.89", "0.000001", "1.468", "-3", "100.00"])))
    invoice.lines = (0..<random.below(3)).map { _ in
      InvoiceLine(description: "L \(random.below(100))", lineAmount: ExactDecimal("0.000001"))
    }
    invoice.taxBreakdown = Array(invoice.taxBreakdown.prefix(random.below(2)))
    invoice.payments = (0..<random.below(3)).flatMap { _ in invoice.payments }
    return invoice
  }

  private mutating func contact() -> Contact {
    var contact: Contact = SampleFields.record()
    contact.id = "c\(random.below(3))"
    contact.name = "Name \(random.below(100))"
    contact.version = nil
    return contact
  }

  private mutating func payment() throws -> Payment {
    var payment: Payment = SampleFields.record()
    payment.id = "p\(random.below(4))"
    payment.contactID = "c\(random.below(3))"
    payment.version = nil
    if random.chance(50) { payment.contactName = nil }
    return payment
  }
}

extension TapFixture {
  /// The tables of a target, by the keys of their rows.
  typealias Tables = [String: [String: JSONObject]]

  /// The columns of invoices that hold lists, by the tables that have them too.
  static let lists = [
    "invoice_lines": "lines", "invoice_taxes": "tax_breakdown", "invoice_payments": "payments",
  ]

  /// A catalog that selects every stream.
  static let everything =
    "{\"streams\": ["
    + SingerStream.allCases.map { #"{"tap_stream_id": "\#($0.rawValue)", "selected": true}"# }
    .joined(separator: ",") + "]}"

  /// Compares each table of a target with what an export writes, field by field.
  func compare(_ target: TapTarget) async throws {
    let found = target.tables.mapValues { $0.mapValues(\.values) }
    for (table, documents) in try await exported() where target.streams.contains(table) {
      var rows = found[table] ?? [:]
      let isList = Self.lists[table] != nil
      if isList {
        rows = Self.current(rows, of: found["invoices"] ?? [:]) { $0[$1]?.word }
      }
      for (key, expected) in documents {
        guard let row = rows.removeValue(forKey: key) else {
          Issue.record("\(table) lacks \(key)")
          continue
        }
        let values = Self.object(of: row) { !["change", "_sdc_deleted_at"].contains($0) }
        #expect(expected == values, "\(table) \(key)")
        #expect(isList || row["_sdc_deleted_at"] == row["deleted_at"])
      }
      // Whatever else the target has is marked as deleted.
      for (key, row) in rows {
        #expect(row["deleted_reason"] == .text("forgotten"), "\(table) \(key)")
        #expect(row["deleted_at"]?.word != nil)
      }
    }
  }

  /// Returns the rows of a list's table that are of the last state of their invoice.
  ///
  /// - Parameter value: returns the value of a column, as a text.
  static func current<Row>(
    _ rows: [String: Row], of invoices: [String: Row], _ value: (Row, String) -> String?
  ) -> [String: Row] {
    rows.filter { _, row in
      let invoice = [value(row, "account"), value(row, "invoice_id")].compactMap(\.self)
      let change = invoices[invoice.joined(separator: " ")].flatMap { value($0, "change") }
      return change == value(row, "change")
    }
  }

  /// Returns the rows that an export of each table writes, with the columns of a warehouse.
  func exported() async throws -> Tables {
    let documents = Mutex<[String: [[UInt8]]]>(["invoices": [], "contacts": [], "payments": []])
    @Sendable func add(_ table: String, _ append: (inout [UInt8]) -> Void) {
      var text: [UInt8] = []
      append(&text)
      documents.withLock { $0[table, default: []].append(text) }
    }
    var invoices = InvoiceQuery()
    invoices.includesVoidAndDeleted = true
    try await database.forEachInvoice(matching: invoices) { stored in
      add("invoices") { InvoiceDocument.append(stored, withLines: true, to: &$0) }
    }
    var contacts = ContactQuery()
    contacts.includesDeleted = true
    try await database.forEachContact(matching: contacts) { stored in
      add("contacts") { ContactDocument.append(stored, to: &$0) }
    }
    var payments = PaymentQuery()
    payments.includesVoidAndDeleted = true
    try await database.forEachPayment(matching: payments) { stored in
      // Those that invoices hold are in their rows.
      guard stored.payment.rawStatus != "payment of an invoice" else { return }
      add("payments") { PaymentDocument.append(stored, to: &$0) }
    }
    var rows = try documents.withLock(\.self).mapValues { texts in
      try texts.map { text in
        let document = try JSONValue.object(
          in: String(decoding: text, as: UTF8.self), source: "document")
        let sums: Set = ["arithmetic", "invoiceCount", "balances"]
        return Self.columns(Self.object(of: document) { !sums.contains($0) })
      }
    }
    for (table, column) in Self.lists {
      rows[table] = rows["invoices"]?.flatMap { Self.elements(column, of: $0) }
    }
    return try rows.mapValues { rows in
      try Dictionary(
        uniqueKeysWithValues: rows.map { row in
          (try #require(Self.key { row[$0]?.word }), row)
        })
    }
  }

  /// Returns the key of a row: the account and the identifier, or the invoice and the position.
  ///
  /// - Parameter value: returns the value of a column, as a text.
  static func key(_ value: (String) -> String?) -> String? {
    let own = value("position").map { [value("invoice_id"), $0] } ?? [value("id")]
    let parts = [value("account")] + own
    return parts.contains(nil) ? nil : parts.compactMap(\.self).joined(separator: " ")
  }

  /// Returns the rows of a list's table that an invoice has.
  private static func elements(_ column: String, of invoice: JSONObject) -> [JSONObject] {
    (invoice[column]?.list ?? []).enumerated().compactMap { index, element in
      guard var row = element.object else { return nil }
      row.append("account", invoice["account"] ?? .null)
      row.append("invoice_id", invoice["id"] ?? .null)
      row.append("position", .integer(Int64(index + 1)))
      row.append("deleted_at", invoice["deleted_at"] ?? .null)
      return row
    }
  }

  private static func object(
    of object: JSONObject, where isWanted: (String) -> Bool
  ) -> JSONObject {
    let members = zip(object.names, object.values).filter { isWanted($0.0) }
    return JSONObject(members.map(\.0), members.map(\.1))
  }

  /// Returns the members of a document as the columns of a row.
  private static func columns(_ members: JSONObject, isNested: Bool = false) -> JSONObject {
    var columns = JSONObject()
    for (name, value) in zip(members.names, members.values) {
      if !isNested, ["contact", "home"].contains(name), let part = value.object {
        let inner = Self.columns(part, isNested: true)
        for (field, value) in zip(inner.names, inner.values) {
          columns.append("\(name)_\(field)", value)
        }
      } else {
        columns.append(isNested ? snake(name) : column(name), Self.value(value))
      }
    }
    return columns
  }

  private static func value(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object): .object(columns(object, isNested: true))
    case .list(let elements): .list(elements.map(Self.value))
    default: value
    }
  }

  private static func snake(_ name: String) -> String {
    FieldDescription(name: name, kind: .text, isRequired: false).snakeName
  }

  /// Targets reserve the name `version`.
  private static func column(_ name: String) -> String {
    name == "version" ? "record_version" : snake(name)
  }
}
