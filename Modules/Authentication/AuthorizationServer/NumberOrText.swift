import Foundation

/// A number, which some servers write as a string.
enum NumberOrText: Decodable {
  case number(Double)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text((try? container.decode(String.self)) ?? "")
    }
  }

  /// The value as a time in seconds, limited to ten years so that dates stay in range.
  var seconds: Double? {
    let value =
      switch self {
      case .number(let number): number
      case .text(let text): Double(text) ?? .nan
      }
    return value.isFinite ? min(max(value, 0), 10 * 366 * 86_400) : nil
  }

  /// The value as an instant: seconds since 1970, or RFC 3339.
  var instant: Date? {
    switch self {
    case .number(let number) where number.isFinite && number >= 0 && number < 1e11:
      Date(timeIntervalSince1970: number)
    case .text(let text):
      try? Date(text, strategy: .iso8601)
    default: nil
    }
  }
}
