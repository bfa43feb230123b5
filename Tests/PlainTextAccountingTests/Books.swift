import Foundation
import Models
import Synchronization
import TestSupport
import Testing

@testable import PlainTextAccounting
@testable import Storage

/// A database with documents and payments, for their journals.
struct Books: Sendable {
  let database: LocalDatabase
  private let folder: TemporaryDirectory

  init(_ invoices: [Invoice], _ payments: [Payment] = [], account: String = "default") async throws
  {
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await add(invoices, to: database.invoiceStore, account)
    try await add(payments, to: database.paymentStore(), account)
  }

  func add(_ invoices: [Invoice], account: String = "default") async throws {
    try await add(invoices, to: database.invoiceStore, account)
  }

  private func add<Record: SyncedRecord>(
    _ records: [Record], to store: ResourceStore<Record>, _ account: String
  ) async throws {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await store.beginRun(
      RunStart(
        account: account, provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: instant)
    page.records = store.encode(records)
    _ = try await run.commit([page])
  }

  /// Returns the text of a journal.
  func text(_ journal: Journal, _ query: InvoiceQuery = InvoiceQuery()) async throws -> String {
    let text = Mutex<[UInt8]>([])
    try await journal.write(query, of: database) { piece in text.withLock { $0 += piece } }
    return String(decoding: text.withLock(\.self), as: UTF8.self)
  }

  /// Writes a journal, and returns the file.
  func file(_ journal: Journal, _ query: InvoiceQuery = InvoiceQuery()) async throws -> String {
    try folder.write(try await text(journal, query), to: "invoices.\(journal.format.rawValue)")
  }

  /// Returns each stored document with its transactions.
  func transactions() async throws -> [(stored: StoredInvoice, transactions: [Transaction])] {
    var query = InvoiceQuery()
    (query.includesVoidAndDeleted, query.sort, query.isAscending) = (true, .stored, true)
    let asked = query
    return try await database.sortTexts(ofInvoicesMatching: asked) { forEachInvoice, _ in
      var found: [(StoredInvoice, [Transaction])] = []
      try forEachInvoice { found.append(($0, DocumentTransactions.of($0))) }
      return found
    }
  }

  /// Returns what is receivable and payable by account and currency, as the summary by contact has
  /// it, without zeros.
  func summary(_ format: Journal.Format) async throws -> [Balance: DecimalSum] {
    var names = AccountNames(JournalAccounts(), format)
    var sums: [Balance: DecimalSum] = [:]
    for totals in try await database.totals(matching: InvoiceQuery(), by: .contact) {
      guard case .contact(let id, let name) = totals.group else { continue }
      let isCredit = totals.type == .creditNote || totals.type == .billCredit
      let isPurchase = totals.type == .bill || totals.type == .billCredit
      var due = totals.amountDue
      // Credits are subtracted, whichever sign the provider gives them.
      if isCredit { due = due.magnitude.negated }
      if isPurchase { due = due.negated }
      let invoice = Invoice(
        id: "", type: totals.type, status: .open, rawStatus: "", contact: Party(id: id, name: name),
        currency: totals.currency, total: .zero)
      let account = names.name(
        of: Posting.Place(role: isPurchase ? .payable : .receivable),
        for: StoredInvoice(
          account: totals.account, invoice: invoice, deletedAt: nil, deletedReason: nil,
          syncedAt: Timestamp(microsecondsSinceEpoch: 0)))
      let key = Balance(account: account, currency: totals.currency.code)
      sums[key] = (sums[key] ?? .zero) + due
    }
    return sums.filter { !$0.value.isZero }
  }
}

/// An account in a currency.
struct Balance: Hashable {
  let account: String
  let currency: String
}
