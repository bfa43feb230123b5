extension ExactDecimal: CustomStringConvertible, LosslessStringConvertible {
  /// Parses a number in the form of JSON (RFC 8259 section 6); `nil` if the text has another form
  /// or more than 38 digits.
  ///
  /// `1e3` becomes `1000` and `1.5e-2` becomes `0.015`: an exponent moves the point, and no digit
  /// is lost.
  public init?(_ description: String) {
    guard let value = ExactDecimal(utf8: description.utf8.span) else { return nil }
    self = value
  }

  /// Parses a number from the UTF-8 bytes of its JSON text.
  public init?(utf8 bytes: Span<UInt8>) {
    if let short = Self.short(bytes) {
      self = short
      return
    }
    var index = 0
    func byte() -> UInt8? { index < bytes.count ? bytes[index] : nil }
    let isNegative = byte() == UInt8(ascii: "-")
    if isNegative { index += 1 }

    var digits = DigitAccumulator()
    let leading = byte()
    while let digit = byte()?.decimalDigit {
      guard digits.append(digit) else { return nil }
      index += 1
    }
    guard digits.count > 0, leading != UInt8(ascii: "0") || digits.count == 1 else { return nil }

    var scale = 0
    if byte() == UInt8(ascii: ".") {
      index += 1
      while let digit = byte()?.decimalDigit {
        guard digits.append(digit) else { return nil }
        scale += 1
        index += 1
      }
      guard scale > 0 else { return nil }
    }

    var exponent = 0
    if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
      index += 1
      let isNegativeExponent = byte() == UInt8(ascii: "-")
      if isNegativeExponent || byte() == UInt8(ascii: "+") { index += 1 }
      guard byte()?.decimalDigit != nil else { return nil }
      while let digit = byte()?.decimalDigit {
        exponent = Swift.min(exponent * 10 + Int(digit), 1_000)
        index += 1
      }
      if isNegativeExponent { exponent.negate() }
    }
    guard index == bytes.count else { return nil }

    var coefficient = digits.value
    scale -= exponent
    while scale < 0 {
      if coefficient == 0 {
        scale = 0
      } else {
        guard coefficient < Int128(Self.limit / 10) else { return nil }
        coefficient *= 10
        scale += 1
      }
    }
    guard scale <= Self.maximumDigits else { return nil }
    self.init(unchecked: isNegative ? -coefficient : coefficient, scale: scale)
  }

  /// The number in plain notation, with as many decimals as its scale.
  public var description: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of ``description``, without creating a string.
  package func appendText(to bytes: inout [UInt8]) {
    var text = DecimalText()
    // Most amounts are short, and division of 128-bit numbers is slow.
    if let short = UInt64(exactly: coefficient.magnitude) {
      text.prepend(digits: short, scale: scale)
    } else {
      text.prepend(digits: coefficient.magnitude, scale: scale)
    }
    if isNegative { text.prepend(UInt8(ascii: "-")) }
    text.append(to: &bytes)
  }

  /// Parses a number of at most 18 digits without an exponent, as almost all are; `nil` if it is
  /// another.
  private static func short(_ bytes: Span<UInt8>) -> ExactDecimal? {
    guard (1...19).contains(bytes.count) else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    var value: UInt64 = 0
    var point: Int?
    for index in first..<bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        value = value &* 10 &+ UInt64(digit)
      } else {
        guard bytes[index] == UInt8(ascii: "."), point == nil else { return nil }
        point = index
      }
    }
    let whole = (point ?? bytes.count) - first
    let scale = point.map { bytes.count - $0 - 1 } ?? 0
    guard whole >= 1, whole == 1 || bytes[first] != UInt8(ascii: "0"),
      point == nil || scale > 0, whole + scale <= 18
    else { return nil }
    return ExactDecimal(unchecked: isNegative ? -Int128(value) : Int128(value), scale: scale)
  }
}

extension ExactDecimal: Codable {
  /// Decodes a string; a JSON number is refused, since the decoder has already made it binary.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = ExactDecimal(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not a decimal number")
    }
    self = value
  }

  /// Encodes as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The text of a number, written from its last digit to its first.
private struct DecimalText {
  private var bytes = InlineArray<42, UInt8>(repeating: 0)
  private var start = 42

  @inline(__always)
  mutating func prepend<Digits: FixedWidthInteger & UnsignedInteger>(
    digits: Digits, scale: Int
  ) {
    var rest = digits
    if scale > 0 {
      for _ in 0..<scale { prependLastDigit(of: &rest) }
      prepend(UInt8(ascii: "."))
    }
    repeat { prependLastDigit(of: &rest) } while rest > 0
  }

  @inline(__always)
  mutating func prepend(_ byte: UInt8) {
    start -= 1
    bytes[start] = byte
  }

  @inline(__always)
  private mutating func prependLastDigit<Digits: FixedWidthInteger & UnsignedInteger>(
    of rest: inout Digits
  ) {
    prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
    rest /= 10
  }

  func append(to text: inout [UInt8]) {
    withUnsafeBytes(of: bytes) { bytes in
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
  }
}

/// A collector of digits; leading zeros do not count against the limit.
private struct DigitAccumulator {
  /// All digits, as long as they fit: 128-bit arithmetic is slow, and most amounts are short.
  private var short: UInt64 = 0
  private var long: Int128 = 0
  private(set) var count = 0
  private var significant = 0

  var value: Int128 { significant <= Self.shortDigits ? Int128(short) : long }

  private static let shortDigits = 18

  mutating func append(_ digit: UInt8) -> Bool {
    count += 1
    if digit != 0 || significant > 0 { significant += 1 }
    guard significant <= ExactDecimal.maximumDigits, count <= 2 * ExactDecimal.maximumDigits else {
      return false
    }
    if significant <= Self.shortDigits {
      short = short * 10 + UInt64(digit)
    } else {
      if significant == Self.shortDigits + 1 { long = Int128(short) }
      long = long * 10 + Int128(digit)
    }
    return true
  }
}

extension UInt8 {
  fileprivate var decimalDigit: UInt8? {
    let digit = self &- UInt8(ascii: "0")
    return digit <= 9 ? digit : nil
  }
}
