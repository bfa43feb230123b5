import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Every field that a record lists has a column, a place in a view, and comes back as it was
/// stored.
@Suite(.timeLimit(.minutes(10))) struct RecordFieldTests {
  private static let records: [any FieldListing] = [
    Invoice.blank, InvoiceLine.blank, TaxSubtotal.blank, InvoicePayment.blank,
    AttachmentReference.blank,
    AllowanceCharge.blank, Party.blank, PostalAddress.blank, Contact.blank,
  ]

  @Test("every property of a record is in its list", arguments: 0..<records.count)
  func listed(index: Int) {
    func names<Record: FieldListing>(_: Record) -> [String] {
      FieldDescription.all(of: Record.self).map(\.name)
    }
    let record = Self.records[index]
    let properties = Mirror(reflecting: record).children.compactMap(\.label)
    #expect(properties.sorted() == names(record).sorted(), "\(type(of: record))")
  }

  @Test("every field of an invoice comes back from the database")
  func invoice() async throws {
    let invoice: Invoice = SampleFields.record()
    #expect(FieldValues(of: invoice).values.filter { $0.text == nil }.map(\.field) == [])
    let database = try await LocalDatabase.inMemory()
    _ = try await WholeInvoiceTests().commit([invoice], to: database)
    #expect(try await database.invoice(invoice.id, account: nil)?.invoice == invoice)
    try await database.close()
  }

  @Test("every field of a contact comes back from the database")
  func contact() async throws {
    let contact: Contact = SampleFields.record()
    let database = try await LocalDatabase.inMemory()
    let store = database.contactStore
    var page = PendingPage(source: "x", instant: Timestamp(microsecondsSinceEpoch: 1))
    page.records = store.encode([contact])
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "x", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 1), watermarkBefore: nil))
    _ = try await run.commit([page])
    #expect(try await database.contacts(account: nil) == [contact])
    try await database.close()
  }

  @Test("the tables have the columns of the lists, in their order")
  func columns() async throws {
    let found = try await columnNames(
      of: ["invoice", "payment", "contact"] + children.map(\.name))
    let synced = [
      "list", "fingerprint", "synced_at", "deleted_at", "deleted_reason", "first_synced_at",
      "change",
    ]
    #expect(
      found["invoice"] == ["row", "account", "id"] + InvoiceTable.columns + synced + computed)
    #expect(found["contact"] == ["row", "account", "id"] + ContactTable.columns + synced)
    #expect(found["payment"] == ["row", "account", "id"] + PaymentTable.columns + synced)
    for child in children {
      #expect(found[child.name] == [child.owner, "position"] + child.columns, "\(child.name)")
    }
  }

  private let children = InvoiceTable.children + PaymentTable.children
  /// The columns that the views show in place of others.
  private let computed = ["computed_paid", "computed_credited", "computed_due", "computed_for"]

  @Test("a view shows every column of its table, and every table of records has a view")
  func views() async throws {
    let tables = ["invoice", "payment", "contact"] + children.map(\.name)
    // The view of allocations is of two tables.
    let shown = Schema.views.map(\.table) + ["credit_allocation", "payment_allocation"]
    #expect(shown.sorted() == tables.sorted())
    let found = try await columnNames(of: tables + Schema.views.map(\.name))
    for view in Schema.views {
      let shown = Set(found[view.name] ?? [])
      let hidden: Set = [
        "row", "account", "invoice", "fingerprint", "contact_name", "list", "change",
      ]
      let stored = Set(found[view.table] ?? []).subtracting(hidden).subtracting(computed)
      let missing = stored.subtracting(shown)
      #expect(missing.isEmpty, "\(view.name) lacks \(missing)")
    }
  }

  @Test("the guide of SQL names the columns of the views that no list writes")
  func guide() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appending(path: "Modules/AppCore/AppCore.docc/SQL.md"), encoding: .utf8)
    let views = try await columnNames(of: ["allocations", "documents"])
    for (view, columns) in views {
      let rest = try #require(text.components(separatedBy: "`\(view)` holds").last)
      let paragraph = try #require(rest.components(separatedBy: "\n\n").first)
      let missing = columns.filter { !paragraph.contains("`\($0)`") }
      #expect(!columns.isEmpty && missing.isEmpty, "\(view) lacks \(missing)")
    }
  }

  private func columnNames(of tables: [String]) async throws -> [String: [String]] {
    let database = try await LocalDatabase.inMemory()
    let found = try await database.read { db in
      var found: [String: [String]] = [:]
      for table in tables {
        found[table] = try Row.fetchAll(db, sql: "PRAGMA table_info(\(table))").map { $0["name"] }
      }
      return found
    }
    try await database.close()
    return found
  }
}
