package import Models
package import Storage

/// A record that states when it was last changed.
package protocol ChangedRecord: SyncedRecord {
  /// The instant of the provider's last change.
  var updatedAt: Timestamp? { get }
  /// The provider's own count of changes.
  var version: Int64? { get set }

  /// Sets the names of the taxes and accounts of which records have codes.
  static func name(
    _ records: inout [Self], by names: inout BookNames, _ fetch: BookNames.Fetch
  ) async throws
}

extension ChangedRecord {
  /// Does nothing: only lines of invoices have codes.
  package static func name(
    _ records: inout [Self], by names: inout BookNames, _ fetch: BookNames.Fetch
  ) async throws {}
}

extension Invoice: ChangedRecord {}
extension Payment: ChangedRecord {}
extension Contact: ChangedRecord {}

extension Array where Element: ChangedRecord {
  /// Returns the newest change, without records dated after a limit.
  func newest(upTo limit: Timestamp? = nil) -> Timestamp? {
    // By index: iterating over the records would copy each one.
    indices.lazy.compactMap { self[$0].updatedAt }
      .filter { instant in limit.map { instant <= $0 } ?? true }.max()
  }
}
