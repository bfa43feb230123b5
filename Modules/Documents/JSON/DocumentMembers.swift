/// The members of an object that is encoded.
struct DocumentMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
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
