/// The elements of a list that is encoded.
struct DocumentElements: UnkeyedEncodingContainer {
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
