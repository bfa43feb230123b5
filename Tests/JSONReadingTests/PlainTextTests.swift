import Testing

@testable import JSONReading

// Texts are read eight bytes at a time; what decides may be any of the eight.
@Suite(.timeLimit(.minutes(10))) struct PlainTextTests {
  @Test("the byte that ends a plain text is found wherever it is", arguments: 0...20)
  func ends(length: Int) {
    for filler: UInt8 in [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF] {
      for special: UInt8 in [0x00, 0x0A, 0x1F, 0x22, 0x5C] {
        for rest in [0, 1, 7, 8, 9] {
          let bytes =
            Array(repeating: filler, count: length) + [special]
            + Array(repeating: special, count: rest)
          let plain = PlainText(bytes.span, from: 0)
          #expect(plain.end == length, "\(filler) \(special) \(rest)")
          #expect(plain.isASCII == (length == 0 || filler < 0x80), "\(filler) \(special) \(rest)")
        }
      }
    }
  }

  @Test("a text without an end reaches to the end of the input", arguments: 0...20)
  func endless(length: Int) {
    for start in 0...length {
      let plain = PlainText(Array(repeating: UInt8(ascii: "a"), count: length).span, from: start)
      #expect(plain.end == length && plain.isASCII)
    }
  }

  @Test("a letter outside ASCII is seen wherever it is, and after the end it does not count")
  func letters() {
    for length in 0...20 {
      let before = Array(repeating: UInt8(ascii: "a"), count: length) + [0xC3, 0xA9, 0x22]
      #expect(!PlainText(before.span, from: 0).isASCII)
      let after =
        Array(repeating: UInt8(ascii: "a"), count: length) + [0x22, 0xC3, 0xA9, 0xC3, 0xA9]
      #expect(PlainText(after.span, from: 0).isASCII)
    }
  }

  @Test("a text is read whatever its length, and with an escape anywhere", arguments: 0...40)
  func texts(length: Int) throws {
    let plain = String(repeating: "a", count: length)
    for place in 0...length {
      let (head, tail) = (plain.prefix(place), plain.dropFirst(place))
      var reader = JSONReader(Array("\"\(head)\\n\(tail)\"".utf8))
      #expect(try reader.readString() == "\(head)\n\(tail)")
      try reader.readEnd()
      var skipped = JSONReader(Array("\"\(head)\\\"\(tail)\"".utf8))
      try skipped.skipValue()
      try skipped.readEnd()
    }
  }
}
