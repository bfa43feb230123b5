import GRDB

/// The tables that store one kind of record: one with a row for each record, and child tables for
/// its lists.
///
/// Every table has the columns that a sync needs (`row`, `account`, `id`, `fingerprint`,
/// `synced_at`, `deleted_at`, `deleted_reason`), and `updated_at` and `version` among its own; see
/// ``Schema``.
protocol RecordTable<Record>: SendableMetatype {
  associatedtype Record: SyncedRecord

  /// The name of the table.
  static var name: String { get }
  /// The record's own columns, in the order of ``write(_:to:)``.
  static var columns: [String] { get }
  /// The child tables.
  static var children: [ChildTable] { get }
  /// The full-text index, which is kept in step with the table.
  static var search: SearchIndex? { get }

  /// Returns the reason why a record counts as deleted, if the server says so.
  static func deletion(of record: Record) -> String?
  /// Writes the values of a record's columns, then the rows of its child tables.
  ///
  /// ``ColumnBuffer/beginChild(_:at:)`` begins each child row, with its table's index in
  /// ``children``.
  static func write(_ record: Record, to buffer: inout ColumnBuffer)
  /// Writes the searchable text: the columns of ``search``, exactly as its view shows them.
  static func writeWords(of record: Record, to buffer: inout ColumnBuffer)
  /// Returns the whole record of a row; `nil` if there is none.
  static func record(_ row: Int64, _ db: Database) throws -> Record?
  /// Returns a record's position among search results, at least 0: the upper half of its key in
  /// ``search``.
  static func searchOrder(of record: Record) -> Int64
}

extension RecordTable {
  static var children: [ChildTable] { [] }
  static var search: SearchIndex? { nil }
  static func writeWords(of record: Record, to buffer: inout ColumnBuffer) {}
  static func searchOrder(of record: Record) -> Int64 { 0 }
}

/// A table whose rows belong to a record.
struct ChildTable {
  let name: String
  /// The column that names the record's row.
  let owner: String
  /// The columns after `owner` and `position`.
  let columns: [String]
}

/// A full-text index (FTS5) of the text that a view shows, keyed by the view's `search_key`.
struct SearchIndex {
  /// The number of bits of a key that hold the record's row; the bits above hold its order.
  static let rowBits: Int64 = 32

  let name: String
  let view: String
  let columns: [String]
}
