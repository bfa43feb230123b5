import Foundation

/// The members of a JSON object, read one by one: what is not what was expected is absent.
///
/// An answer that spends something must not be lost for a member that nobody needs.
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

  /// Reads an object, or `nil` where the bytes are none.
  init?(_ body: [UInt8]) {
    guard let members = try? JSONDecoder().decode(JSONMembers.self, from: Data(body)) else {
      return nil
    }
    self = members
  }

  private func value<Value: Decodable>(_: Value.Type, _ name: String) -> Value? {
    try? container.decode(Value.self, forKey: Name(stringValue: name))
  }

  /// A text that is not empty.
  func text(_ name: String) -> String? {
    value(String.self, name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A text, also where it was written as a whole number.
  func textOrNumber(_ name: String) -> String? {
    text(name) ?? value(Int64.self, name).map { String($0) }
  }

  func number(_ name: String) -> NumberOrText? { value(NumberOrText.self, name) }

  func boolean(_ name: String) -> Bool? { value(Bool.self, name) }

  /// Words: a text in which blanks part them, or a list of texts.
  func words(_ name: String) -> [String]? {
    let texts = value(String.self, name).map { [$0] } ?? value([String].self, name)
    return texts?.flatMap { $0.split(separator: " ").map(String.init) }
  }

  func url(_ name: String) -> URL? { text(name).flatMap(URL.init(string:)) }
}
