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
  /// True if invoices are issued to it; `nil` if the provider does not say.
  public var isCustomer: Bool?
  /// True if bills come from it; `nil` if the provider does not say.
  public var isSupplier: Bool?
  /// Its status.
  public var status: ContactStatus
  /// The provider's own word for the status.
  public var rawStatus: String
  /// The instant of the provider's last change.
  public var updatedAt: Timestamp?

  /// Creates a contact.
  public init(id: String, status: ContactStatus, rawStatus: String) {
    self.id = id
    self.status = status
    self.rawStatus = rawStatus
  }
}

/// The status of a contact, in terms that hold for every provider.
public enum ContactStatus: String, Sendable, Hashable, CaseIterable {
  /// In use.
  case active
  /// Put aside by its owner; invoices can still name it.
  case archived
  /// Removed, with what was known of the user.
  case deleted
  /// A word that this version does not know.
  case unknown
}
