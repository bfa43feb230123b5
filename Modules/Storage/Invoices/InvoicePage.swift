import Foundation
import GRDB

/// A place in a list of invoices: the end of a page, after which the next page begins.
///
/// It holds the values that decide the order of the page's last invoice. So it stays the same place
/// when that invoice, or any other, is changed or deleted.
public struct InvoicePosition: Sendable, Hashable, LosslessStringConvertible {
  private struct Content: Codable, Hashable {
    let order: String
    let row: Int64
    let values: [Value]
  }

  private enum Value: Codable, Hashable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case null

    init(_ value: DatabaseValue) {
      switch value.storage {
      case .string(let text): self = .text(text)
      case .int64(let number): self = .integer(number)
      case .double(let number): self = .real(number)
      case .null, .blob: self = .null
      }
    }

    var databaseValue: DatabaseValue {
      switch self {
      case .text(let text): text.databaseValue
      case .integer(let number): number.databaseValue
      case .real(let number): number.databaseValue
      case .null: .null
      }
    }
  }

  private let content: Content

  /// Reads a position from its ``description``; `nil` for any other text.
  public init?(_ description: String) {
    guard let json = Data(base64Encoded: description),
      let content = try? JSONDecoder().decode(Content.self, from: json)
    else { return nil }
    self.content = content
  }

  init(order: String, row: Int64, values: [DatabaseValue]) {
    content = Content(order: order, row: row, values: values.map(Value.init))
  }

  /// The position as a text without a meaning for others: letters, digits, `+`, `/` and `=`.
  public var description: String {
    (try? JSONEncoder().encode(content).base64EncodedString()) ?? ""
  }

  /// Returns whether the position is one of a query's order; after any other there is no invoice.
  public func isInOrder(of query: InvoiceQuery) -> Bool { content.order == query.order }

  var row: DatabaseValue { content.row.databaseValue }
  var values: [DatabaseValue] { content.values.map(\.databaseValue) }
}

/// A page of a list of invoices.
public struct InvoicePage: Sendable, Equatable {
  /// The invoices, as many as the query's limit allows.
  public let invoices: [StoredInvoice]
  /// The position after which the next page begins, for ``InvoiceQuery/after``; `nil` if this is
  /// the last page, or if the query has no limit.
  public let next: InvoicePosition?
}

extension LocalDatabase {
  /// Returns a page of the invoices that a query finds, and the position of the next one.
  ///
  /// Read a list of any length page by page, with the position of one page as the next query's
  /// ``InvoiceQuery/after``. Nothing is held between two pages, and each is a moment of its own.
  /// An invoice that is there all the time, and whose place in the order does not change, comes
  /// exactly once, whatever is stored, changed or deleted meanwhile. One whose place changes comes
  /// once, twice or not at all.
  ///
  /// - Throws: ``StorageError``; `CancellationError` if the task is cancelled.
  public func invoicePage(matching query: InvoiceQuery) async throws -> InvoicePage {
    try await read(matching: query) { [pagedKeys] db, query in
      let (invoices, last) = try query.invoices(pagedKeys, db)
      let isLast = query.limit.map { invoices.count < $0 } ?? true
      let next = try last.flatMap { isLast ? nil : try query.position(of: $0, db) }
      return InvoicePage(invoices: invoices, next: next)
    }
  }
}

extension InvoiceQuery {
  /// Finds invoices; returns the row of the last one too.
  func invoices(
    _ pagedKeys: PagedKeys, _ db: Database
  ) throws -> (found: [StoredInvoice], last: Int64?) {
    // SQLite takes milliseconds to read a statement of many parts that have all columns.
    let keys = try pagedKeys.page(of: self, db) ?? (limit == nil ? nil : try keys(db)[...])
    if let page = keys {
      let row = try InvoiceRow(db, self)
      return (try page.compactMap { try row.invoice($0) }, page.last?.row)
    }
    let (sql, arguments) = try statement(db)
    let reader = try InvoiceReader(db, self)
    var last: Int64?
    let found = try db.allRows(sql: sql, arguments: arguments) { values in
      last = values.first
      return try reader.stored(&values)
    }
    return (found, last)
  }

  /// The order as one word: the name of its key, after a minus if the largest come first.
  var order: String { (isAscending ? "" : "-") + sort.rawValue }

  fileprivate func position(of row: Int64, _ db: Database) throws -> InvoicePosition? {
    let columns = ["row"] + orderTerms.map(\.expression)
    let found = try Row.fetchOne(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM invoice WHERE row = ?",
      arguments: [row])
    return found.map {
      InvoicePosition(order: order, row: row, values: Array($0.databaseValues.dropFirst()))
    }
  }
}
