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
