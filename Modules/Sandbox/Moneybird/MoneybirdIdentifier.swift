/// Moneybird's form of identifiers: a long number, written as text.
enum MoneybirdIdentifier {
  /// Returns an identifier in that form, always the same for the same input.
  static func of(_ id: String) -> String {
    // FNV-1a, truncated to a signed 64-bit number.
    let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    return String(hash >> 1)
  }
}
