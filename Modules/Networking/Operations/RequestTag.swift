/// A mark on requests, by which some of a session's are cancelled together.
public struct RequestTag: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The text of the mark.
  public let rawValue: String

  /// Creates a tag.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Creates a tag from a literal.
  public init(stringLiteral value: String) { rawValue = value }
}
