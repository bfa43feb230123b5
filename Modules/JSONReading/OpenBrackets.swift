/// The open brackets of a value that is being skipped, one bit for each, so that no depth is too
/// great.
struct OpenBrackets {
  private static let width = UInt64.bitWidth

  /// The innermost brackets, the last in the lowest bit: set for `{`, clear for `[`.
  private var recent: UInt64 = 0
  /// The outer brackets, as many in each element as it has bits.
  private var older: [UInt64] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// True if the innermost bracket belongs to an object.
  var isObject: Bool { recent & 1 == 1 }

  /// The byte that closes the innermost bracket.
  var closer: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  mutating func open(_ bracket: UInt8) {
    if count > 0, count % Self.width == 0 {
      older.append(recent)
      recent = 0
    }
    recent = recent << 1 | (bracket == UInt8(ascii: "{") ? 1 : 0)
    count += 1
  }

  mutating func close() {
    recent >>= 1
    count -= 1
    if count > 0, count % Self.width == 0, let last = older.popLast() { recent = last }
  }
}
