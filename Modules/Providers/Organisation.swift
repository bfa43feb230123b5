/// An organisation that a login reaches: a company with invoices of its own.
public struct Organisation: Sendable, Hashable {
  /// The provider's identifier, which `accounts.NAME.tenantID` in the configuration takes.
  public let id: String
  /// The name for the user; `nil` if the provider states none.
  public let name: String?

  /// Creates an organisation.
  public init(id: String, name: String?) {
    self.id = id
    self.name = name
  }
}

extension Organisation: CustomStringConvertible {
  /// The name, or else the identifier.
  public var description: String { name ?? id }
}
