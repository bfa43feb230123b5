/// A set of identifiers, each held as 48 bits of a hash.
///
/// It says that an identifier is new only if it is: two identifiers with the same bits count as
/// one, which happens once in 500 sets of a million. It grows a part at a time, so that a million
/// identifiers take some 7 MB at any moment; Swift's `Set` of hashes takes up to 25 MB while it
/// grows.
struct IdentifierSet {
  /// A table with open addressing, whose entries have 40 bits; zero is an empty place.
  private struct Part {
    var low: [UInt32]
    var high: [UInt8]
    var count = 0

    init(size: Int) {
      low = Array(repeating: 0, count: size)
      high = Array(repeating: 0, count: size)
    }

    /// Adds an entry to a table that has room; returns `false` if it is there.
    mutating func insert(_ entry: UInt64) -> Bool {
      let (low, high) = (UInt32(truncatingIfNeeded: entry), UInt8(entry >> 32))
      var place = Int((entry << 24).multipliedFullWidth(by: UInt64(self.low.count)).high)
      while self.low[place] != 0 || self.high[place] != 0 {
        if self.low[place] == low, self.high[place] == high { return false }
        place = place + 1 == self.low.count ? 0 : place + 1
      }
      (self.low[place], self.high[place]) = (low, high)
      count += 1
      return true
    }

    mutating func grow() {
      var larger = Part(size: low.count * 3 / 2)
      for (low, high) in zip(low, high) where low != 0 || high != 0 {
        _ = larger.insert(UInt64(high) << 32 | UInt64(low))
      }
      self = larger
    }
  }

  private var parts = Array(repeating: Part(size: 16), count: 256)

  /// Adds an identifier; returns `false` if the set may have it already.
  mutating func insert(_ id: String) -> Bool {
    var id = id
    let hash = id.withUTF8 { StableHash.value(of: UnsafeRawBufferPointer($0)) }
    let part = Int(hash >> 56)
    if parts[part].count * 8 >= parts[part].low.count * 7 { parts[part].grow() }
    return parts[part].insert(max((hash << 8) >> 24, 1))
  }
}
