/// A currency by its ISO 4217 alphabetic code, such as `CAD`.
///
/// A code that is unknown to this version is kept: an invoice is not lost because of a new
/// currency.
public struct Currency: Sendable, Hashable {
  /// The code: three letters `A`–`Z`.
  public let code: String

  /// Creates a currency, converting letters to upper case; `nil` if the code is not three ASCII
  /// letters.
  public init?(code: String) {
    // Almost every code is written in capitals; Unicode's properties of letters cost more.
    let bytes = code.utf8
    if bytes.count == 3, bytes.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    {
      self.code = code
      return
    }
    guard code.utf8.count == 3, code.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    self.code = code.uppercased()
  }

  private init(knownCode: String) { code = knownCode }

  /// A placeholder for no currency: ISO 4217 reserves `XTS` for tests.
  package static let placeholder = Currency(knownCode: "XTS")

  /// The number of decimals of an amount in this currency (ISO 4217 "minor unit"): 2 for most.
  public var minorUnitDigits: Int { Self.unusualDigits[code] ?? 2 }

  // ISO 4217, list one, as published in 2024.
  private static let unusualDigits: [String: Int] = {
    let codes = [
      0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
      3: "BHD IQD JOD KWD LYD OMR TND", 4: "CLF UYW",
    ]
    var digits: [String: Int] = [:]
    for (number, codes) in codes {
      for code in codes.split(separator: " ") { digits[String(code)] = number }
    }
    return digits
  }()
}

extension Currency: CustomStringConvertible {
  /// The code.
  public var description: String { code }
}

extension Currency: Codable {
  /// Decodes from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let currency = Currency(code: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a currency code")
    }
    self = currency
  }

  /// Encodes as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(code)
  }
}
