import Foundation
import JSONReading
import Networking

/// The members of a JSON object, read one by one; a member of an unexpected type counts as absent.
///
/// The fields of a form are read in the same way, since some servers answer in the form of a
/// request.
///
/// A response to a spent token must not be lost because of a malformed member that is not needed.
struct JSONMembers: Decodable {
  private let container: KeyedDecodingContainer<Name>

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: Name.self)
  }

  /// Reads an object; `nil` if the bytes are neither a JSON object nor a form.
  init?(_ body: [UInt8]) {
    guard
      let members = Self.decoded(body) ?? Self.readable(body).flatMap(Self.decoded)
        ?? Self.form(body).flatMap(Self.decoded)
    else { return nil }
    self = members
  }

  private static func decoded(_ body: [UInt8]) -> JSONMembers? {
    try? JSONDecoder().decode(JSONMembers.self, from: Data(body))
  }

  /// Returns an object of the members that Foundation can decode, which refuses a whole object for
  /// one of them, such as a deep nest; `nil` if the bytes do not begin with an object.
  private static func readable(_ body: [UInt8]) -> [UInt8]? {
    var reader = JSONReader(body)
    guard let members = try? reader.readSlices() else { return nil }
    let texts = members.compactMap { name, value -> [UInt8]? in
      guard let name = try? JSONEncoder().encode(name) else { return nil }
      let member = [UInt8](name) + [UInt8(ascii: ":")] + value
      return decoded([UInt8(ascii: "{")] + member + [UInt8(ascii: "}")]).map { _ in member }
    }
    return [UInt8(ascii: "{")] + texts.joined(separator: [UInt8(ascii: ",")])
      + [UInt8(ascii: "}")]
  }

  /// Returns the fields of a form as an object; `nil` if the bytes do not begin with a field.
  private static func form(_ body: [UInt8]) -> [UInt8]? {
    guard body.count <= 65_536,
      body.prefix(while: { $0 != UInt8(ascii: "=") }).allSatisfy(Self.isOfName),
      let text = String(validating: body, as: UTF8.self),
      let fields = FormEncoding.decode(text), fields.contains(where: { !$0.value.isEmpty }),
      let object = try? JSONEncoder().encode(
        Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
    else { return nil }
    return Array(object)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
  }

  func object(_ name: String) -> JSONMembers? { value(JSONMembers.self, name) }

  private func value<Value: Decodable>(_: Value.Type, _ name: String) -> Value? {
    try? container.decode(Value.self, forKey: Name(stringValue: name))
  }

  func text(_ name: String) -> String? {
    value(String.self, name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a text, also one that the server wrote as a whole number.
  func textOrNumber(_ name: String) -> String? {
    text(name) ?? value(Int64.self, name).map { String($0) }
      ?? value(UInt64.self, name).map { String($0) }
  }

  func number(_ name: String) -> NumberOrText? { value(NumberOrText.self, name) }

  func boolean(_ name: String) -> Bool? { value(Bool.self, name) }

  /// Returns the words of a text separated by spaces, or of a list of texts.
  func words(_ name: String) -> [String]? {
    let texts = value(String.self, name).map { [$0] } ?? value([String].self, name)
    return texts?.flatMap { $0.split(separator: " ").map(String.init) }
  }

  func url(_ name: String) -> URL? { text(name).flatMap(URL.init(string:)) }
}

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
