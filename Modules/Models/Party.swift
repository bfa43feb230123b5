/// A party of an invoice, its buyer (EN 16931 BG-7) or its seller (BG-4).
public struct Party: Sendable, Hashable {
  /// The provider's identifier of the party, if there is one.
  public var id: String?
  /// The party's name (BT-44, BT-27).
  public var name: String?
  /// The party's e-mail address (BT-58, BT-43).
  public var email: String?
  /// The party's tax number (BT-48, BT-31).
  public var taxNumber: String?
  /// The postal address (BG-8, BG-5).
  public var address: PostalAddress?

  /// Creates a party.
  public init(
    id: String? = nil, name: String? = nil, email: String? = nil, taxNumber: String? = nil,
    address: PostalAddress? = nil
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.taxNumber = taxNumber
    self.address = address
  }
}
