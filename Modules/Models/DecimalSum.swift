/// The exact sum of any number of decimals, which may have more digits than one of them can.
///
/// `1e-38` and `100.50` are each an ``ExactDecimal``; their sum has 41 digits and is not.
public struct DecimalSum: Sendable {
  /// Zero without decimals.
  public static let zero = DecimalSum()

  /// The number of decimals of the sum: as many as the number with the most of them.
  public private(set) var scale = 0
  /// The part that fits into one decimal; for nearly every sum, that is all of it.
  private var recent = ExactDecimal.zero
  /// The rest, in units of 10^19, 1, 10^-19 and 10^-38.
  ///
  /// A limb may exceed the next larger unit until ``normalized`` carries it over.
  private var limbs = Limbs(repeating: 0)

  private typealias Limbs = InlineArray<4, Int128>
  private static let base: Int128 = 10_000_000_000_000_000_000
  private static let digits = 19

  /// Creates a sum of zero.
  public init() {}

  /// Creates the sum of one number.
  public init(_ number: ExactDecimal) {
    (scale, recent) = (number.scale, number)
  }

  /// Creates the sum of numbers.
  public init(_ numbers: some Sequence<ExactDecimal>) {
    for number in numbers { add(number) }
  }

  /// Adds a number.
  public mutating func add(_ number: ExactDecimal) {
    scale = max(scale, number.scale)
    if let sum = recent.adding(number) {
      recent = sum
    } else {
      limbs = limbs(adding: recent)
      recent = number
    }
  }

  /// Adds another sum.
  public mutating func add(_ other: DecimalSum) {
    scale = max(scale, other.scale)
    add(other.recent)
    for index in limbs.indices { limbs[index] += other.limbs[index] }
  }

  /// The same sum with the opposite sign.
  public var negated: DecimalSum {
    var result = self
    result.recent = recent.negated
    for index in limbs.indices { result.limbs[index].negate() }
    return result
  }

  /// The sum as one number, or `nil` if it has more than 38 digits.
  public var exact: ExactDecimal? { isOneNumber ? recent : ExactDecimal(description) }

  /// True if ``recent`` is the whole sum, with all its decimals.
  private var isOneNumber: Bool {
    recent.scale == scale && limbs.indices.allSatisfy { limbs[$0] == 0 }
  }

  /// Returns the sum with a number of decimals, half rounded away from zero; unchanged if it has
  /// more than 38 digits.
  public func rounded(toScale scale: Int) -> DecimalSum {
    exact.map { DecimalSum($0.rounded(toScale: scale)) } ?? self
  }

  /// True if the sum is zero, whatever its scale.
  public var isZero: Bool {
    guard !isOneNumber else { return recent.isZero }
    let limbs = normalized
    return limbs.indices.allSatisfy { limbs[$0] == 0 }
  }

  private func limbs(adding number: ExactDecimal) -> Limbs {
    var limbs = limbs
    let (whole, fraction) = number.parts
    limbs[0] += whole / Self.base
    limbs[1] += whole % Self.base
    limbs[2] += fraction / Self.base
    limbs[3] += fraction % Self.base
    return limbs
  }

  /// The whole sum, each limb but the first below a unit of the one before and none below zero.
  private var normalized: Limbs { Self.carried(limbs(adding: recent)) }

  private static func carried(_ limbs: Limbs) -> Limbs {
    var limbs = limbs
    for index in [3, 2, 1] {
      let (quotient, remainder) = limbs[index].quotientAndRemainder(dividingBy: base)
      limbs[index] = remainder < 0 ? remainder + base : remainder
      limbs[index - 1] += remainder < 0 ? quotient - 1 : quotient
    }
    return limbs
  }
}

extension DecimalSum: CustomStringConvertible, LosslessStringConvertible {
  /// Parses a sum from its ``description``, or a decimal in the form of JSON.
  public init?(_ description: String) {
    if let number = ExactDecimal(description) {
      self.init(number)
      return
    }
    let isNegative = description.hasPrefix("-")
    let parts = description.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard let whole = parts.first, !whole.isEmpty, parts.count == 1 || !fraction.isEmpty,
      (whole + fraction).utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      fraction.count <= 2 * Self.digits, whole.count <= ExactDecimal.maximumDigits + 9
    else { return nil }
    let decimals = fraction + String(repeating: "0", count: 2 * Self.digits - fraction.count)
    let texts = [
      whole.dropLast(Self.digits), whole.suffix(Self.digits), decimals.prefix(Self.digits),
      decimals.suffix(Self.digits),
    ]
    self.init()
    for (index, text) in texts.enumerated() where !text.isEmpty {
      guard let limb = Int128(text) else { return nil }
      limbs[index] = isNegative ? -limb : limb
    }
    scale = fraction.count
  }

  /// The sum in plain notation, with as many decimals as its scale.
  public var description: String {
    guard !isOneNumber else { return recent.description }
    var limbs = normalized
    let isNegative = limbs[0] < 0
    if isNegative {
      for index in limbs.indices { limbs[index].negate() }
      limbs = Self.carried(limbs)
    }
    func text(_ index: Int) -> String {
      let digits = "\(limbs[index])"
      return String(repeating: "0", count: max(0, Self.digits - digits.count)) + digits
    }
    let whole = limbs[0] == 0 ? "\(limbs[1])" : "\(limbs[0])" + text(1)
    let fraction = (text(2) + text(3)).prefix(scale)
    return (isNegative ? "-" : "") + whole + (scale == 0 ? "" : "." + fraction)
  }

  /// Returns the sum in the form of ``Money``: with at least the currency's decimals, and its code.
  public func description(in currency: Currency) -> String {
    Money.description(of: description, scale: scale, currency)
  }
}

extension DecimalSum: Comparable {
  /// Orders by value.
  public static func < (left: DecimalSum, right: DecimalSum) -> Bool {
    guard !left.isOneNumber || !right.isOneNumber else { return left.recent < right.recent }
    let (left, right) = (left.normalized, right.normalized)
    let different = left.indices.first { left[$0] != right[$0] }
    return different.map { left[$0] < right[$0] } ?? false
  }
}

extension DecimalSum: Hashable, Encodable {
  /// Compares values: `1.0` equals `1`.
  public static func == (left: DecimalSum, right: DecimalSum) -> Bool {
    guard !left.isOneNumber || !right.isOneNumber else { return left.recent == right.recent }
    let (left, right) = (left.normalized, right.normalized)
    return left.indices.allSatisfy { left[$0] == right[$0] }
  }

  /// Hashes the value, so that equal sums of different scale agree.
  public func hash(into hasher: inout Hasher) {
    let limbs = normalized
    for index in limbs.indices { hasher.combine(limbs[index]) }
  }

  /// Encodes as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ExactDecimal {
  /// The part before the point, and the part after it in units of 10^-38; both with the number's
  /// sign.
  fileprivate var parts: (whole: Int128, fraction: Int128) {
    var unit: Int128 = 1
    for _ in 0..<scale { unit *= 10 }
    var (whole, fraction) = coefficient.quotientAndRemainder(dividingBy: unit)
    for _ in scale..<Self.maximumDigits { fraction *= 10 }
    return (whole, fraction)
  }
}
