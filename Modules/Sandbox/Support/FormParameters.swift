/// The names and values of a query or of an `application/x-www-form-urlencoded` body.
struct FormParameters: Sendable, Equatable {
  /// The reason why a text is not a form.
  struct Malformed: Error {}

  private var values: [String: String] = [:]
  /// The names that occurred more than once, which RFC 6749 section 3.1 forbids.
  private(set) var repeated: Set<String> = []

  init() {}

  /// Parses `name=value&…`; throws ``Malformed`` if an escape or its UTF-8 is invalid.
  init(_ text: some StringProtocol) throws {
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]),
        let value = Self.decoded(parts.count > 1 ? parts[1] : "")
      else { throw Malformed() }
      if values.updateValue(value, forKey: name) != nil { repeated.insert(name) }
    }
  }

  /// Returns the value of a name; an empty one counts as absent (RFC 6749 section 3.1).
  subscript(name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  var names: Set<String> { Set(values.keys) }

  /// Decodes the percent encoding; `+` is a space.
  static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(hexadecimalValue),
          let low = iterator.next().flatMap(hexadecimalValue)
        else { return nil }
        bytes.append(high << 4 | low)
      default:
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
