/// The form in which Moneybird identifies things: a long number, written as a text.
enum MoneybirdIdentifier {
  /// Another identifier in that form, always the same for the same one.
  static func of(_ id: String) -> String {
    // FNV-1a, as far as a signed number of 64 bits holds it.
    let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    return String(hash >> 1)
  }
}
