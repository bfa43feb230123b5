public import Models

/// A record that can be synced: an invoice or a contact.
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

extension Contact: SyncedRecord {
  /// The number that is larger in the newer of two versions.
  public var order: Int64? { updatedAt?.microsecondsSinceEpoch }
}
