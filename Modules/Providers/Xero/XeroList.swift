package import Foundation
package import JSONReading
package import Models
package import Storage
import Sync

/// What differs from one list of Xero's to the other.
package protocol XeroList: Sendable {
  associatedtype Record: SyncedRecord

  /// The last part of the path, such as `Invoices`.
  static var path: String { get }
  /// The key under which the rows stand.
  static var rows: StaticString { get }
  /// The key of a row's identifier.
  static var identifier: String { get }
  /// What is asked for beside page and order.
  static var query: [URLQueryItem] { get }

  /// Reads one row.
  static func read(_ reader: inout JSONReader) throws -> Record
  /// When a record was last changed.
  static func updatedAt(_ record: Record) -> Timestamp?
}

extension XeroList {
  package static var query: [URLQueryItem] { [] }
}
