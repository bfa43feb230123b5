/// The reason that a JSON text cannot be read, and its place.
public struct JSONError: Error, Sendable, Equatable {
  /// The kind of fault.
  public enum Reason: Sendable, Equatable {
    /// The bytes are no JSON, or end too early; nothing after this place can be trusted.
    case malformed(String)
    /// The JSON is sound, but not what was expected here.
    case unexpected(String)
  }

  /// The reason.
  public let reason: Reason
  /// The offset in the bytes.
  public let offset: Int
  /// Keys and indexes that lead there, outermost first.
  public var path: [String] = []

  package init(reason: Reason, offset: Int, path: [String] = []) {
    self.reason = reason
    self.offset = offset
    self.path = path
  }

  /// The path as people write it, such as `LineItems[2].Quantity`.
  public var pathDescription: String {
    path.reduce(into: "") { text, part in
      text += part.hasPrefix("[") || text.isEmpty ? part : "." + part
    }
  }

  /// True if the bytes are no JSON, so that nothing behind this place can be read either.
  public var isMalformed: Bool {
    if case .malformed = reason { true } else { false }
  }

  /// The fault, without any of the text that was read.
  public var explanation: String {
    switch reason {
    case .malformed(let what), .unexpected(let what): what
    }
  }
}
