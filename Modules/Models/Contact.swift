/// A business partner as its provider has it in its address book.
///
/// On an invoice the same partner stands as a ``Party``, as it was when that was written.
public struct Contact: Sendable, Hashable, Identifiable {
  /// The provider's identifier, unique within one account.
  public var id: String
  /// The name.
  public var name: String?
  /// The e-mail address.
  public var email: String?
  /// The telephone number, as it is written there.
  public var phone: String?
  /// The tax number.
  public var taxNumber: String?
  /// Whether invoices are written to it; `nil` where the provider does not tell.
  public var isCustomer: Bool?
  /// Whether bills come from it; `nil` where the provider does not tell.
  public var isSupplier: Bool?
  /// Where it stands.
  public var status: ContactStatus
  /// The provider's own word for the status.
  public var rawStatus: String
  /// When the provider last changed it.
  public var updatedAt: Timestamp?

  /// Creates a contact.
  public init(id: String, status: ContactStatus, rawStatus: String) {
    self.id = id
    self.status = status
    self.rawStatus = rawStatus
  }
}

/// Where a contact stands, in terms that hold for every provider.
public enum ContactStatus: String, Sendable, Hashable, CaseIterable {
  /// In use.
  case active
  /// Put aside by its owner; invoices can still name it.
  case archived
  /// Removed, with what was known of the person.
  case deleted
  /// A word that this version does not know.
  case unknown
}
