/// A business partner in a provider's address book.
///
/// An invoice contains the same partner as a ``Party``, in its state at that time.
public struct Contact: Sendable, Hashable, Identifiable {
  /// The provider's identifier, unique within one account.
  public var id: String
  /// The name.
  public var name: String?
  /// The e-mail address.
  public var email: String?
  /// The telephone number, as the provider writes it.
  public var phone: String?
  /// The tax number.
  public var taxNumber: String?
  /// True if invoices are issued to the contact; `nil` if the provider does not state it.
  public var isCustomer: Bool?
  /// True if bills come from the contact; `nil` if the provider does not state it.
  public var isSupplier: Bool?
  /// The status of the contact.
  public var status: ContactStatus
  /// The provider's own word for the status.
  public var rawStatus: String
  /// The instant of the provider's last change.
  public var updatedAt: Timestamp?
  /// The provider's own count of changes, if there is one; the newer of two versions has the
  /// larger one.
  public var version: Int64?
  /// The number by which the user knows the contact, such as a customer number (BT-46, BT-29).
  public var accountNumber: String?
  /// The number in a register of companies (BT-47, BT-30).
  public var companyNumber: String?
  /// The mobile number, as the provider writes it.
  public var mobile: String?
  /// The address of the website.
  public var website: String?
  /// The postal address, to which invoices go.
  public var address: PostalAddress?
  /// The address to which goods go, or of the premises, if the provider states both.
  public var deliveryAddress: PostalAddress?

  /// Creates a contact.
  public init(id: String, status: ContactStatus, rawStatus: String) {
    self.id = id
    self.status = status
    self.rawStatus = rawStatus
  }
}

extension Contact: FieldListing {
  @usableFromInline package static var blank: Contact {
    Contact(id: "", status: .unknown, rawStatus: "")
  }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.identifier("id", &id)
    try visitor.field("name", &name)
    try visitor.field("email", &email)
    try visitor.field("phone", &phone)
    try visitor.field("taxNumber", &taxNumber)
    try visitor.field("isCustomer", &isCustomer)
    try visitor.field("isSupplier", &isSupplier)
    try visitor.required("status", &status)
    try visitor.required("rawStatus", &rawStatus)
    try visitor.field("updatedAt", &updatedAt)
    try visitor.field("version", &version)
    try visitor.field("accountNumber", &accountNumber)
    try visitor.field("companyNumber", &companyNumber)
    try visitor.field("mobile", &mobile)
    try visitor.field("website", &website)
    try visitor.part("address", &address)
    try visitor.part("deliveryAddress", &deliveryAddress)
  }
}

/// The status of a contact, in terms common to all providers.
public enum ContactStatus: String, Sendable, Hashable, CaseIterable {
  /// The contact is in use.
  case active
  /// The contact is archived by its owner; invoices can still name it.
  case archived
  /// The contact was removed, with its personal data.
  case deleted
  /// The provider's word for the status is unknown to this version.
  case unknown
}
