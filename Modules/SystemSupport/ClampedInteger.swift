extension FixedWidthInteger {
  /// Creates the integer that a floating-point number is rounded to, limited to the type's range;
  /// 0 for a number that is none.
  ///
  /// A plain conversion ends the program if the number does not fit, and a ratio of two amounts, or
  /// a number that a server states, need not fit.
  package init(
    clamping number: Double,
    rounding rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) {
    let rounded = number.rounded(rule)
    if let integer = Self(exactly: rounded) {
      self = integer
    } else {
      self = rounded.isNaN ? 0 : rounded < 0 ? .min : .max
    }
  }
}
