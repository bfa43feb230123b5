extension ExactDecimal {
  /// Returns the exact product, or `nil` if it has more than 38 digits.
  public func multiplied(by other: ExactDecimal) -> ExactDecimal? {
    let (product, overflow) = coefficient.multipliedReportingOverflow(by: other.coefficient)
    guard !overflow, product.magnitude < Self.limit, scale + other.scale <= Self.maximumDigits
    else { return nil }
    return ExactDecimal(unchecked: product, scale: scale + other.scale)
  }

  /// Returns the quotient with a number of decimals, half rounded away from zero, or with as many
  /// as fit into 38 digits.
  ///
  /// `nil` if the divisor is zero or has more than 36 digits, or if the whole part does not fit.
  public func divided(by divisor: ExactDecimal, decimals: Int) -> ExactDecimal? {
    guard divisor.coefficient != 0, divisor.coefficient.magnitude < Self.limit / 100 else {
      return nil
    }
    var (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor.coefficient)
    var digits = scale - divisor.scale
    while digits < 0 || digits < decimals && remainder != 0 {
      let (next, rest) = (remainder * 10).quotientAndRemainder(dividingBy: divisor.coefficient)
      let (product, overflow) = quotient.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = product.addingReportingOverflow(next)
      guard !overflow, !isTooLarge, sum.magnitude < Self.limit else {
        if digits < 0 { return nil }
        break
      }
      (quotient, remainder, digits) = (sum, rest, digits + 1)
    }
    if remainder.magnitude * 2 >= divisor.coefficient.magnitude {
      quotient += (coefficient < 0) == (divisor.coefficient < 0) ? 1 : -1
    }
    return ExactDecimal(coefficient: quotient, scale: digits)
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
