/// An optional value that is encoded as `null` if it is absent, instead of being omitted.
package struct Nullable<Value: Encodable>: Encodable {
  package let value: Value?

  package init(_ value: Value?) { self.value = value }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}
