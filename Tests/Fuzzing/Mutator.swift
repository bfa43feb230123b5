import SyncSupport

/// Makes inputs of other inputs.
struct Mutator {
  private static let usualSize = 16 << 10
  private static let largestSize = 256 << 10

  let words: [[UInt8]]

  init(words: [String]) {
    self.words = words.map { Array($0.utf8) }
  }

  func mutated(_ pool: [[UInt8]], _ random: inout SeededRandom) -> [UInt8] {
    var input = random.one(of: pool)
    for _ in 0..<(1 << random.below(5)) { change(&input, pool, &random) }
    // Now and then one so large that anything worse than linear is seen.
    if random.below(2_000) == 0 { grow(&input, &random) }
    return input
  }

  private func change(
    _ input: inout [UInt8], _ pool: [[UInt8]], _ random: inout SeededRandom
  ) {
    guard !input.isEmpty else {
      input = random.one(of: words)
      return
    }
    let cursor = random.below(input.count)
    switch random.below(9) {
    case 0: input[cursor] ^= 1 << UInt8(random.below(8))
    case 1: input[cursor] = UInt8(random.below(256))
    case 2: input.removeSubrange(piece(of: input, from: cursor, &random))
    case 3, 4: input.insert(contentsOf: random.one(of: words), at: cursor)
    case 5:
      guard input.count < Self.usualSize else { return }
      input.insert(contentsOf: input[piece(of: input, from: cursor, &random)], at: cursor)
    case 6:
      let other = random.one(of: pool)
      guard !other.isEmpty, input.count < Self.usualSize else { return }
      let start = random.below(other.count)
      input.insert(contentsOf: other[piece(of: other, from: start, &random)], at: cursor)
    case 7:
      input.replaceSubrange(piece(of: input, from: cursor, &random), with: random.one(of: words))
    default:
      if random.chance(10) { input.removeSubrange(cursor...) }
    }
  }

  private func piece(
    of input: [UInt8], from cursor: Int, _ random: inout SeededRandom
  ) -> Range<Int> {
    let longest = random.chance(80) ? 16 : 512
    return cursor..<min(input.count, cursor + 1 + random.below(longest))
  }

  private func grow(_ input: inout [UInt8], _ random: inout SeededRandom) {
    guard !input.isEmpty else { return }
    let start = random.below(input.count)
    let unit = Array(input[piece(of: input, from: start, &random)])
    let repeated = [[UInt8]](repeating: unit, count: Self.largestSize / unit.count).joined()
    input.insert(contentsOf: repeated, at: start)
  }
}
