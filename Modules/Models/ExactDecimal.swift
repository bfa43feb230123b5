/// A decimal number that keeps every digit it was given, trailing zeros included.
///
/// `12.50` and `12.5` are equal, but each prints as it was written: a server's value can be shown
/// and stored again without a change. It holds up to 38 significant digits; nothing is ever
/// rounded, and no binary floating point is involved.
public struct ExactDecimal: Sendable {
  /// The digits as one whole number; the value is `coefficient / 10^scale`.
  public var coefficient: Int128 { Int128(high) << 64 | Int128(low) }

  /// The number of digits after the decimal point, 0 through 38.
  public var scale: Int { Int(shortScale) }

  // In halves and one byte: an optional number has half the size of one that holds an `Int128` and
  // an `Int`, and an invoice has dozens.
  private let high: Int64
  private let low: UInt64
  private let shortScale: UInt8

  /// Zero without decimals.
  public static let zero = ExactDecimal(unchecked: 0, scale: 0)

  /// Creates a number from its digits, or returns `nil` if there are more than 38 of them or
  /// `scale` is outside 0 through 38.
  public init?(coefficient: Int128, scale: Int) {
    guard (0...Self.maximumDigits).contains(scale), coefficient.magnitude < Self.limit else {
      return nil
    }
    self.init(unchecked: coefficient, scale: scale)
  }

  /// Creates a whole number.
  public init(_ integer: Int) {
    self.init(unchecked: Int128(integer), scale: 0)
  }

  init(unchecked coefficient: Int128, scale: Int) {
    high = Int64(truncatingIfNeeded: coefficient >> 64)
    low = UInt64(truncatingIfNeeded: coefficient)
    shortScale = UInt8(truncatingIfNeeded: scale)
  }

  /// The largest number of digits.
  public static let maximumDigits = 38

  /// True if the value is below zero.
  public var isNegative: Bool { coefficient < 0 }

  /// True if the value is zero, whatever its scale.
  public var isZero: Bool { coefficient == 0 }

  /// The same value with the opposite sign.
  public var negated: ExactDecimal { ExactDecimal(unchecked: -coefficient, scale: scale) }

  /// The same value without trailing zeros after the point.
  public var normalized: ExactDecimal {
    var coefficient = coefficient
    var scale = scale
    while scale > 0, coefficient % 10 == 0 {
      coefficient /= 10
      scale -= 1
    }
    return ExactDecimal(unchecked: coefficient, scale: scale)
  }

  /// Returns the exact sum, or `nil` if it has more than 38 digits.
  public func adding(_ other: ExactDecimal) -> ExactDecimal? {
    let common = Swift.max(scale, other.scale)
    guard let left = rescaled(to: common), let right = other.rescaled(to: common) else {
      return nil
    }
    let (sum, overflow) = left.addingReportingOverflow(right)
    guard !overflow, sum.magnitude < Self.limit else { return nil }
    return ExactDecimal(unchecked: sum, scale: common)
  }

  /// Returns the exact difference, or `nil` if it has more than 38 digits.
  public func subtracting(_ other: ExactDecimal) -> ExactDecimal? {
    adding(other.negated)
  }

  /// 10^38, the smallest magnitude with too many digits.
  static let limit: UInt128 = 100_000_000_000_000_000_000_000_000_000_000_000_000

  private func rescaled(to target: Int) -> Int128? {
    var value = coefficient
    for _ in scale..<target {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      value = product
    }
    return value
  }
}

extension ExactDecimal: Comparable, Hashable {
  /// Compares values: `1.0` equals `1`.
  public static func == (left: ExactDecimal, right: ExactDecimal) -> Bool {
    if left.scale == right.scale { return left.coefficient == right.coefficient }
    let (left, right) = (left.normalized, right.normalized)
    return left.coefficient == right.coefficient && left.scale == right.scale
  }

  /// Orders by value, even if the scales are too far apart to be aligned.
  public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let (left, right) = (left.normalized, right.normalized)
    let common = Swift.max(left.scale, right.scale)
    switch (left.rescaled(to: common), right.rescaled(to: common)) {
    case (let left?, let right?): return left < right
    // Only the one with fewer decimals can overflow, so it is the larger in magnitude.
    case (nil, _): return left.isNegative
    case (_, nil): return !right.isNegative
    }
  }

  /// Hashes the value, so that equal numbers of different scale agree.
  public func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.coefficient)
    hasher.combine(normalized.scale)
  }
}
