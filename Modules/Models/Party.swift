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

extension Party: FieldListing {
  @usableFromInline package static var blank: Party { Party() }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.field("name", &name)
    try visitor.field("email", &email)
    try visitor.field("taxNumber", &taxNumber)
    try visitor.part("address", &address)
  }
}

/// A postal address (EN 16931 BG-8 of a buyer, BG-5 of a seller).
public struct PostalAddress: Sendable, Hashable {
  /// The lines above the city, none with a line break in it (BT-50, BT-51, BT-163; BT-35,
  /// BT-36, BT-162).
  public var lines: [String]
  /// The city (BT-52, BT-37).
  public var city: String?
  /// The postal code (BT-53, BT-38).
  public var postalCode: String?
  /// The state, province or the like (BT-54, BT-39).
  public var region: String?
  /// The country: usually its ISO 3166-1 code, such as `DE` (BT-55, BT-40), otherwise the
  /// provider's text.
  public var country: String?

  /// Creates an address.
  public init(
    lines: [String] = [], city: String? = nil, postalCode: String? = nil, region: String? = nil,
    country: String? = nil
  ) {
    self.lines = lines
    self.city = city
    self.postalCode = postalCode
    self.region = region
    self.country = country
  }
}

extension PostalAddress: FieldListing {
  @usableFromInline package static var blank: PostalAddress { PostalAddress() }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.texts("lines", &lines)
    try visitor.field("city", &city)
    try visitor.field("postalCode", &postalCode)
    try visitor.field("region", &region)
    try visitor.field("country", &country)
  }
}
