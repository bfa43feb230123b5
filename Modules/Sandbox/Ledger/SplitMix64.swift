import Foundation

/// The SplitMix64 generator: small, fast, and the same on every machine.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Creates a generator for one item of a series, independent of its neighbours.
  init(seed: UInt64, index: Int) {
    var mixer = SplitMix64(seed: seed)
    self.init(seed: mixer.next() ^ (UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15))
    _ = next()
  }

  /// Returns the FNV-1a hash of a text, a seed that is the same on every machine.
  static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a whole number below `bound`.
  ///
  /// The standard library may return other numbers in its next version; this method does not.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// Returns a version 4 UUID (RFC 9562 section 5.4) in lower case.
  mutating func identifier() -> String {
    let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    func byte(_ word: UInt64, _ position: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * position))
    }
    // Foundation's own formatting is fast enough for many invoices in a debug build.
    let identifier = UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
        byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
        byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
    return identifier.uuidString.lowercased()
  }
}
