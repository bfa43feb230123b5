/// Bytes that are never printed: no description, dump or reflection shows them.
public struct Secret: Sendable {
  private let bytes: [UInt8]

  /// Creates a secret from bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a secret from a text, as UTF-8.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The bytes; the caller is responsible for keeping them secret.
  public var exposedBytes: [UInt8] { bytes }

  /// The text, or `nil` if the bytes are not UTF-8; the caller is responsible for keeping it
  /// secret.
  public var exposedText: String? { String(validating: bytes, as: UTF8.self) }
}

extension Secret: Equatable {
  /// Compares in a time that depends only on the length, not on the position of the first
  /// difference.
  public static func == (left: Secret, right: Secret) -> Bool {
    guard left.bytes.count == right.bytes.count else { return false }
    return zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A constant text.
  public var description: String { "Secret(redacted)" }
  /// A constant text.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
