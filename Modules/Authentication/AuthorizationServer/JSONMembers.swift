import Foundation
import JSONReading

/// The members of a JSON object, read one by one; a member of an unexpected type counts as absent.
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

  /// Reads an object; `nil` if the bytes are not a JSON object.
  init?(_ body: [UInt8]) {
    guard let members = Self.decoded(body) ?? Self.readable(body).flatMap(Self.decoded) else {
      return nil
    }
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

  private func value<Value: Decodable>(_: Value.Type, _ name: String) -> Value? {
    try? container.decode(Value.self, forKey: Name(stringValue: name))
  }

  /// Returns a text that is not empty.
  func text(_ name: String) -> String? {
    value(String.self, name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a text, also one that the server wrote as a whole number.
  func textOrNumber(_ name: String) -> String? {
    text(name) ?? value(Int64.self, name).map { String($0) }
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
