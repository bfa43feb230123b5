import JSONReading
import Models
import Sync

/// The conversion of amounts in the smallest unit that Stripe uses for a currency.
struct StripeMoney {
  /// Number of decimals of that unit.
  private let digits: Int

  /// Creates the conversion for a currency.
  ///
  /// Stripe's list differs from ISO 4217: `ISK` and `UGX` are counted in hundredths that are always
  /// zero, and `MGA` in whole units.
  ///
  /// https://docs.stripe.com/currencies#minor-units
  init(_ currency: Currency) {
    digits =
      switch currency.code {
      case "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV",
        "XAF", "XOF", "XPF":
        0
      case "BHD", "JOD", "KWD", "OMR", "TND": 3
      default: 2
      }
  }

  /// Returns the amount; a price may have a fraction of the smallest unit.
  ///
  /// - Throws: `JSONError` if it has too many digits.
  func amount(_ units: ExactDecimal, at offset: Int) throws -> ExactDecimal {
    guard let amount = ExactDecimal(coefficient: units.coefficient, scale: units.scale + digits)
    else { throw JSONError(reason: .unexpected("too many digits"), offset: offset) }
    return amount
  }

  func amount(_ units: ExactDecimal?, at offset: Int) throws -> ExactDecimal? {
    try units.map { try amount($0, at: offset) }
  }
}

extension JSONReader {
  /// Reads a list, whose rows are under `data`, and returns whether another page follows.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the response is not a list.
  static func readStripeList(
    _ body: [UInt8], _ readRows: (inout JSONReader) throws -> Void
  ) throws -> Bool {
    var (isList, hasMore) = (false, false)
    try readPage(body) { reader, key in
      switch key {
      case "data":
        isList = true
        try readRows(&reader)
      case "has_more": hasMore = try reader.readBool()
      default: try reader.skipValue()
      }
    }
    guard isList else { throw SyncError.unreadable(part: "data", reason: "missing") }
    return hasMore
  }

  /// Reads an instant, seconds since 1970, or `null`.
  mutating func readStripeInstant() throws -> Timestamp? {
    if try readNull() { return nil }
    let (milliseconds, isTooFar) = Int64(try readInt()).multipliedReportingOverflow(by: 1_000)
    guard !isTooFar, let instant = Timestamp(millisecondsSinceEpoch: milliseconds) else {
      throw JSONError(reason: .unexpected("expected an instant"), offset: position)
    }
    return instant
  }

  /// Reads the identifier of an object, which is either the object itself or its identifier, or
  /// `null`.
  mutating func readStripeReference() throws -> String? {
    if try readNull() { return nil }
    if isAtString { return try readOptionalString() }
    var id: String?
    try readObject { reader, key in
      switch key {
      case "id": id = try reader.readNull() ? nil : reader.readString()
      default: try reader.skipValue()
      }
    }
    return id
  }
}
