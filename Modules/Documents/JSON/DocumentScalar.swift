/// A single value that is encoded.
struct DocumentScalar: SingleValueEncodingContainer {
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
