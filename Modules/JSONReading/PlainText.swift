/// The bytes of a text that need no decision: up to a quote, a backslash, a control character, or
/// the end of the input.
struct PlainText {
  /// The first byte after them.
  let end: Int
  let isASCII: Bool

  /// Reads eight bytes at a time: most of a page is text.
  init(_ bytes: Span<UInt8>, from start: Int) {
    let raw = bytes.bytes
    var index = start
    var all: UInt64 = 0
    while index + 8 <= raw.byteCount {
      // In bounds, because eight bytes follow the index.
      let word = UInt64(
        littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let special = Self.special(word)
      guard special == 0 else {
        let count = special.trailingZeroBitCount & ~7
        let before = word & ((1 << UInt64(count)) - 1)
        self.init(end: index + count / 8, all: all | before)
        return
      }
      all |= word
      index += 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      all |= UInt64(byte)
      index += 1
    }
    self.init(end: index, all: all)
  }

  private init(end: Int, all: UInt64) {
    self.end = end
    isASCII = all & Self.high == 0
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// Returns a word whose lowest set bit is the high bit of the first special byte; zero if there
  /// is none.
  ///
  /// The tests are those of "Bit Twiddling Hacks" (Sean Eron Anderson) for a zero byte and for one
  /// below a limit; they can be wrong only after a byte for which they are right.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    return high
      & ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash
        | (word &- ones &* 0x20) & ~word)
  }
}
