import Models

/// The bytes of a document's JSON, written member by member.
///
/// ``DocumentEncoder`` makes several objects of each value. A list of a million records is written
/// with this instead, into one buffer.
struct DocumentBytes {
  private(set) var bytes: [UInt8] = []

  /// Appends JSON that stands in the source, such as `,"id":`.
  mutating func write(_ json: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  mutating func append(_ text: String?) {
    guard var text else { return write("null") }
    appendQuoted { bytes in text.withUTF8 { DocumentText.appendEscaped($0, to: &bytes) } }
  }

  mutating func append(_ number: ExactDecimal?) {
    guard let number else { return write("null") }
    appendQuoted { number.appendText(to: &$0) }
  }

  mutating func append(_ date: CalendarDate?) {
    guard let date else { return write("null") }
    appendQuoted { date.appendText(to: &$0) }
  }

  mutating func append(_ instant: Timestamp?) {
    guard let instant else { return write("null") }
    appendQuoted { instant.appendText(to: &$0) }
  }

  mutating func append(_ flag: Bool?) {
    guard let flag else { return write("null") }
    write(flag ? "true" : "false")
  }

  mutating func append(_ integer: Int64?) {
    guard let integer else { return write("null") }
    bytes.append(contentsOf: DocumentText.text(integer))
  }

  /// Appends a list, each element as a function appends it.
  mutating func append<Element>(
    _ elements: [Element], _ add: (inout DocumentBytes, Element) -> Void
  ) {
    write("[")
    for index in elements.indices {
      if index > 0 { write(",") }
      add(&self, elements[index])
    }
    write("]")
  }

  private mutating func appendQuoted(_ write: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    write(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
