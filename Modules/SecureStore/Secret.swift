/// Bytes that nothing prints: no description, dump or reflection shows them.
public struct Secret: Sendable {
  private let bytes: [UInt8]

  /// Keeps bytes secret.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Keeps a text secret, as UTF-8.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The bytes; whoever takes them out answers for them.
  public var exposedBytes: [UInt8] { bytes }

  /// The text, or `nil` where the bytes are not UTF-8; whoever takes it out answers for it.
  public var exposedText: String? { String(validating: bytes, as: UTF8.self) }
}

extension Secret: Equatable {
  /// Compares in a time that depends on the length alone, not on where the first difference is.
  public static func == (left: Secret, right: Secret) -> Bool {
    guard left.bytes.count == right.bytes.count else { return false }
    return zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always the same text.
  public var description: String { "Secret(redacted)" }
  /// Always the same text.
  public var debugDescription: String { description }
  /// Empty.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
