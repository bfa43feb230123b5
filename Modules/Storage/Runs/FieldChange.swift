/// One field of a record that is not as it is stored.
public struct FieldChange: Sendable, Equatable {
  /// The field, such as `amountDue`, `contact.name` or `lines[0].quantity`; `lines` where there are more of
  /// them, or fewer, than before.
  public let field: String
  /// What is stored; `nil` where that is nothing.
  public let old: String?
  /// What the provider has; `nil` where that is nothing.
  public let new: String?
}
