/// Why a JSON text cannot be read, and where.
package struct JSONError: Error, Sendable, Equatable {
  /// What is wrong.
  package enum Reason: Sendable, Equatable {
    /// The bytes are no JSON, or end too early; nothing after this place can be trusted.
    case malformed(String)
    /// The JSON is sound, but not what was expected here.
    case unexpected(String)
  }

  package let reason: Reason
  /// Where in the bytes.
  package let offset: Int
  /// Keys and indexes that lead there, outermost first.
  package var path: [String] = []

  /// The path as people write it, such as `LineItems[2].Quantity`.
  package var pathDescription: String {
    path.reduce(into: "") { text, part in
      text += part.hasPrefix("[") || text.isEmpty ? part : "." + part
    }
  }

  package var isMalformed: Bool {
    if case .malformed = reason { true } else { false }
  }

  /// What is wrong, without any of the text that was read.
  package var explanation: String {
    switch reason {
    case .malformed(let what), .unexpected(let what): what
    }
  }
}
