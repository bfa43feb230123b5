/// Chance that is the same for the same seed, on every machine and in every version.
///
/// SplitMix64, of Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// Chance that belongs to one part of a seed, whatever was drawn for the others.
  package init(seed: UInt64, part: UInt64) {
    var mixer = SeededRandom(seed: seed)
    let base = mixer.next()
    var other = SeededRandom(seed: part)
    state = base ^ other.next()
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A whole number from 0 to below `bound`, which is at least 1.
  package mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A whole number of a range.
  package mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// Returns true in so many of 100 cases.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// One of some things.
  package mutating func one<Choice>(of choices: [Choice]) -> Choice {
    choices[below(choices.count)]
  }
}
