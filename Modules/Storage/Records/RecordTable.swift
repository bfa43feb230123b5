import GRDB
public import Models

/// The tables that store one kind of record: one with a row for each record, and child tables for
/// its lists.
///
/// Every table has the columns that a sync needs (`row`, `account`, `id`, `fingerprint`,
/// `synced_at`, `deleted_at`, `deleted_reason`), and `updated_at` and `version` among its own; see
/// ``Schema``.
protocol RecordTable<Record>: SendableMetatype {
  associatedtype Record: SyncedRecord, FieldListing

  /// The name of the table.
  static var name: String { get }
  /// The record's own columns, in the order of ``write(_:to:)``.
  static var columns: [String] { get }
  /// The child tables.
  static var children: [ChildTable] { get }
  /// The full-text index of the records; `nil` if they cannot be searched.
  static var search: SearchIndex? { get }
  /// The indexes that a first pass may store without; the unique one has the identifiers.
  ///
  /// A table without them has its index of identifiers in its declaration.
  static var indexes: [Schema.RecordIndex] { get }

  /// Returns the reason why a record counts as deleted, if the server says so.
  static func deletion(of record: Record) -> String?
  /// Writes the values of a record's columns, then the rows of its child tables.
  ///
  /// ``ColumnBuffer/beginChild(_:at:)`` begins each child row, with its table's index in
  /// ``children``.
  static func write(_ record: inout Record, to buffer: inout ColumnBuffer)
  /// Returns the whole record of a row; `nil` if there is none.
  static func record(_ row: Int64, _ db: Database) throws -> Record?
}

extension RecordTable {
  static var children: [ChildTable] { [] }
  static var search: SearchIndex? { nil }
  static var indexes: [Schema.RecordIndex] { [] }
  /// The index of the records' identifiers; `nil` if it is part of the table.
  static var identifiers: Schema.RecordIndex? { indexes.first(where: \.isUnique) }
}

/// A table whose rows belong to a record.
struct ChildTable {
  let name: String
  /// The column that names the record's row.
  let owner: String
  /// The columns after `owner` and `position`.
  let columns: [String]
}

/// A record that can be synced: an invoice, a payment or a contact.
public protocol SyncedRecord: Sendable {
  /// The provider's identifier, unique within one account.
  var id: String { get }
  /// The number that is larger in the newer of two versions; `nil` if the provider has none.
  var order: Int64? { get }
}

extension Invoice: SyncedRecord {
  /// The number that is larger in the newer of two versions.
  public var order: Int64? { version ?? updatedAt?.microsecondsSinceEpoch }
}

extension Payment: SyncedRecord {
  /// The number that is larger in the newer of two versions.
  public var order: Int64? { version ?? updatedAt?.microsecondsSinceEpoch }
}

extension Contact: SyncedRecord {
  /// The number that is larger in the newer of two versions.
  public var order: Int64? { version ?? updatedAt?.microsecondsSinceEpoch }
}
