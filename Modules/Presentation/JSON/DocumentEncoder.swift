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

/// The members of an object that is encoded.
private struct DocumentMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: DocumentEncoder
  let codingPath: [any CodingKey] = []

  private func add(_ json: [UInt8], _ key: Key) {
    encoder.append(.json(json), forKey: key.stringValue)
  }

  private func pending(_ key: some CodingKey) -> DocumentEncoder {
    let inner = DocumentEncoder()
    encoder.append(.pending(inner), forKey: key.stringValue)
    return inner
  }

  func encodeNil(forKey key: Key) { add(DocumentText.null, key) }
  func encode(_ value: String, forKey key: Key) { add(DocumentText.quoted(value), key) }
  func encode(_ value: Bool, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: Double, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: Float, forKey key: Key) { add(DocumentText.text(Double(value)), key) }
  func encode(_ value: Int, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: Int8, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: Int16, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: Int32, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: Int64, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: UInt, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: UInt8, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: UInt16, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: UInt32, forKey key: Key) { add(DocumentText.text(value), key) }
  func encode(_ value: UInt64, forKey key: Key) { add(DocumentText.text(value), key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    encoder.append(try DocumentEncoder.json(value), forKey: key.stringValue)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { pending(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    pending(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { DocumentEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { pending(key) }
}

/// The elements of a list that is encoded.
private struct DocumentElements: UnkeyedEncodingContainer {
  let encoder: DocumentEncoder
  let codingPath: [any CodingKey] = []
  var count: Int {
    guard case .list(let values) = encoder.contents else { return 0 }
    return values.count
  }

  private func add(_ json: [UInt8]) { encoder.append(.json(json)) }

  private func pending() -> DocumentEncoder {
    let inner = DocumentEncoder()
    encoder.append(.pending(inner))
    return inner
  }

  func encodeNil() { add(DocumentText.null) }
  func encode(_ value: String) { add(DocumentText.quoted(value)) }
  func encode(_ value: Bool) { add(DocumentText.text(value)) }
  func encode(_ value: Double) { add(DocumentText.text(value)) }
  func encode(_ value: Float) { add(DocumentText.text(Double(value))) }
  func encode(_ value: Int) { add(DocumentText.text(value)) }
  func encode(_ value: Int8) { add(DocumentText.text(value)) }
  func encode(_ value: Int16) { add(DocumentText.text(value)) }
  func encode(_ value: Int32) { add(DocumentText.text(value)) }
  func encode(_ value: Int64) { add(DocumentText.text(value)) }
  func encode(_ value: UInt) { add(DocumentText.text(value)) }
  func encode(_ value: UInt8) { add(DocumentText.text(value)) }
  func encode(_ value: UInt16) { add(DocumentText.text(value)) }
  func encode(_ value: UInt32) { add(DocumentText.text(value)) }
  func encode(_ value: UInt64) { add(DocumentText.text(value)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    encoder.append(try DocumentEncoder.json(value))
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) -> KeyedEncodingContainer<Inner> { pending().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { pending().unkeyedContainer() }

  func superEncoder() -> any Encoder { pending() }
}

/// A single value that is encoded.
private struct DocumentScalar: SingleValueEncodingContainer {
  let encoder: DocumentEncoder
  let codingPath: [any CodingKey] = []

  private func set(_ json: [UInt8]) { encoder.contents = .scalar(.json(json)) }

  func encodeNil() { set(DocumentText.null) }
  func encode(_ value: String) { set(DocumentText.quoted(value)) }
  func encode(_ value: Bool) { set(DocumentText.text(value)) }
  func encode(_ value: Double) { set(DocumentText.text(value)) }
  func encode(_ value: Float) { set(DocumentText.text(Double(value))) }
  func encode(_ value: Int) { set(DocumentText.text(value)) }
  func encode(_ value: Int8) { set(DocumentText.text(value)) }
  func encode(_ value: Int16) { set(DocumentText.text(value)) }
  func encode(_ value: Int32) { set(DocumentText.text(value)) }
  func encode(_ value: Int64) { set(DocumentText.text(value)) }
  func encode(_ value: UInt) { set(DocumentText.text(value)) }
  func encode(_ value: UInt8) { set(DocumentText.text(value)) }
  func encode(_ value: UInt16) { set(DocumentText.text(value)) }
  func encode(_ value: UInt32) { set(DocumentText.text(value)) }
  func encode(_ value: UInt64) { set(DocumentText.text(value)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    encoder.contents = .scalar(try DocumentEncoder.json(value))
  }
}

extension Encoder {
  /// Encodes a value whose JSON is known; ``DocumentEncoder`` alone can do that.
  func encodeJSON(_ json: [UInt8]) throws {
    guard let encoder = self as? DocumentEncoder else {
      throw EncodingError.invalidValue(
        json, .init(codingPath: codingPath, debugDescription: "no encoder of documents"))
    }
    encoder.contents = .scalar(.json(json))
  }
}
