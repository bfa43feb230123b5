/// Encodes a document as compact JSON, with the members of each object in the order of their keys.
///
/// With Foundation's `JSONEncoder` an export of JSON lines takes more than twice the time. The
/// documents consist of texts, integers, decimals and flags; dates and amounts are texts.
final class DocumentEncoder: Encoder {
  /// The JSON of a value, or the encoder that has it once the value is complete.
  enum Value {
    case json([UInt8])
    case pending(DocumentEncoder)

    var bytes: [UInt8] {
      switch self {
      case .json(let bytes): bytes
      case .pending(let encoder): encoder.bytes
      }
    }
  }

  /// The containers that a value can ask for.
  enum Contents {
    case none
    case scalar(Value)
    case object([(key: String, value: Value)])
    case list([Value])
  }

  var contents = Contents.none
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Returns the JSON of a value.
  static func encode(_ value: some Encodable) throws -> [UInt8] { try json(value).bytes }

  static func json(_ value: some Encodable) throws -> Value {
    // Most values are texts, which need no encoder of their own.
    if let text = value as? String { return .json(DocumentText.quoted(text)) }
    let encoder = DocumentEncoder()
    try value.encode(to: encoder)
    return .json(encoder.bytes)
  }

  /// The JSON of what was encoded.
  var bytes: [UInt8] {
    switch contents {
    case .none: return Array("{}".utf8)
    case .scalar(let value): return value.bytes
    case .list(let values):
      return DocumentText.joined(values.map(\.bytes), UInt8(ascii: "["), UInt8(ascii: "]"))
    case .object(let members):
      return DocumentText.joined(
        members.sorted { $0.key < $1.key }.map { member in
          DocumentText.quoted(member.key) + [UInt8(ascii: ":")] + member.value.bytes
        }, UInt8(ascii: "{"), UInt8(ascii: "}"))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = contents {} else { contents = .object([]) }
    return KeyedEncodingContainer(DocumentMembers<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    contents = .list([])
    return DocumentElements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    DocumentScalar(encoder: self)
  }

  func append(_ value: Value, forKey key: String) {
    guard case .object(var members) = contents else { return }
    contents = .none
    members.append((key, value))
    contents = .object(members)
  }

  func append(_ value: Value) {
    guard case .list(var values) = contents else { return }
    contents = .none
    values.append(value)
    contents = .list(values)
  }
}
