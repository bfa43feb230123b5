package import Foundation
package import JSONReading
package import Models
package import Storage
import Sync

/// The differences between one list of Xero's API and another.
package protocol XeroList: Sendable {
  associatedtype Record: SyncedRecord

  /// Last part of the URL path, such as `Invoices`.
  static var path: String { get }
  /// Key of the rows in a page.
  static var rows: StaticString { get }
  /// Key of the identifier in a row.
  static var identifier: String { get }
  /// Query items besides the page and the order.
  static var query: [URLQueryItem] { get }

  /// Reads one row; returns `nil` for a row of a kind that is not stored.
  static func read(_ reader: inout JSONReader) throws -> Record?
  /// Returns the time of a record's last change.
  static func updatedAt(_ record: Record) -> Timestamp?
}

extension XeroList {
  package static var query: [URLQueryItem] { [] }
}
