public import Models

/// A record as a sync knows it: an invoice or a contact.
public protocol SyncedRecord: Sendable {
  /// The provider's identifier, unique within one account.
  var id: String { get }
  /// What the newer of two versions has more of; `nil` where the provider has no such thing.
  var order: Int64? { get }
}

extension Invoice: SyncedRecord {
  /// What the newer of two versions has more of.
  public var order: Int64? { version ?? updatedAt?.microsecondsSinceEpoch }
}

extension Contact: SyncedRecord {
  /// What the newer of two versions has more of.
  public var order: Int64? { updatedAt?.microsecondsSinceEpoch }
}
