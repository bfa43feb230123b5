extension ExactDecimal {
  /// Returns the exact product, or `nil` if it has more than 38 digits.
  public func multiplied(by other: ExactDecimal) -> ExactDecimal? {
    let (product, overflow) = coefficient.multipliedReportingOverflow(by: other.coefficient)
    guard !overflow, product.magnitude < Self.limit, scale + other.scale <= Self.maximumDigits
    else { return nil }
    return ExactDecimal(unchecked: product, scale: scale + other.scale)
  }

  /// Returns the value with a number of decimals, half rounded away from zero, as on invoices.
  ///
  /// A value with fewer decimals is returned unchanged.
  public func rounded(toScale target: Int) -> ExactDecimal {
    guard scale > target, target >= 0 else { return self }
    var divisor: Int128 = 1
    for _ in target..<scale { divisor *= 10 }
    let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
    let isHalf = remainder.magnitude >= divisor.magnitude - remainder.magnitude
    let step: Int128 = isHalf ? (coefficient < 0 ? -1 : 1) : 0
    return ExactDecimal(unchecked: quotient + step, scale: target)
  }

  /// The value without its sign.
  public var magnitude: ExactDecimal { isNegative ? negated : self }

  /// Returns the exact sum of numbers, or `nil` if it has more than 38 digits.
  public static func sum(_ numbers: some Sequence<ExactDecimal>) -> ExactDecimal? {
    var sum = ExactDecimal.zero
    for number in numbers {
      guard let next = sum.adding(number) else { return nil }
      sum = next
    }
    return sum
  }
}
