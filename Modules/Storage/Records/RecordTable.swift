import GRDB

/// The tables that a kind of record is stored in: one with a row for each record, and child tables
/// for what a record has several of.
///
/// Every table has the columns that a sync needs (`row`, `account`, `id`, `fingerprint`,
/// `synced_at`, `deleted_at`, `deleted_reason`), beside `updated_at` and `version` of its own; see
/// ``Schema``.
protocol RecordTable<Record>: SendableMetatype {
  associatedtype Record: SyncedRecord

  /// The name of the table.
  static var name: String { get }
  /// The record's own columns, in the order of ``write(_:to:)``.
  static var columns: [String] { get }
  /// The child tables.
  static var children: [ChildTable] { get }
  /// The index for full-text search, kept beside the table.
  static var search: SearchIndex? { get }

  /// Returns the reason for which a record counts as deleted, where the server says so.
  static func deletion(of record: Record) -> String?
  /// Writes the values of a record's columns, then the rows of its child tables, each begun with
  /// the position of its table in ``children``.
  static func write(_ record: Record, to buffer: inout ColumnBuffer)
  /// Writes what can be searched for: the columns of ``search``, exactly as its view shows them.
  static func writeWords(of record: Record, to buffer: inout ColumnBuffer)
  /// Returns the whole record of a row; `nil` where there is none.
  static func record(_ row: Int64, _ db: Database) throws -> Record?
  /// Returns a record's place among what is found: the upper half of its key in ``search``, from 0
  /// up.
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

/// A full-text index (FTS5) whose text is what a view shows, by the view's
/// `search_key`.
struct SearchIndex {
  /// The half of a key that is the record's row; the other is its order.
  static let rowBits: Int64 = 32

  let name: String
  let view: String
  let columns: [String]
}
