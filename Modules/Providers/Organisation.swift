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

extension Sequence<Organisation> {
  /// Returns the organisations with an identifier, or else those with a name, whatever its case.
  public func named(_ text: String) -> [Organisation] {
    let exact = filter { $0.id == text }
    return exact.isEmpty ? filter { $0.name?.lowercased() == text.lowercased() } : exact
  }
}

extension Organisation: CustomStringConvertible {
  /// The name, or else the identifier.
  public var description: String { name ?? id }
}
