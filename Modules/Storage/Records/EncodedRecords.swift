/// The encoded records of a page, each with its fingerprint, in one contiguous buffer.
///
/// The readers of pages encode them concurrently, so that the writer only has to write.
package struct EncodedRecords: Sendable {
  /// A record without its values.
  package struct Entry: Sendable {
    /// The provider's identifier.
    package let id: String
    /// The number that is larger in the newer of two versions.
    package let order: Int64?
    /// The reason why the record counts as deleted, if the server says so.
    let deletion: String?
    /// A number that differs if any value differs, and is the same in every process.
    package let fingerprint: Int64
    let parts: ColumnBuffer.Parts
  }

  /// The records, in the order of the page.
  package private(set) var entries: [Entry] = []
  private(set) var buffer = ColumnBuffer()

  /// The number of bytes of all values.
  package var byteCount: Int { buffer.byteCount }

  /// Creates a value without records.
  package init() {}

  /// - Parameter records: the only reference to them, or else each is copied.
  init<Table: RecordTable>(_ records: consuming [Table.Record], of table: Table.Type) {
    entries.reserveCapacity(records.count)
    // By index, because iterating over whole records copies each of them.
    for index in records.indices {
      // Pages are large: the first records show how much room the rest need, so the buffer does not
      // grow by doubling.
      if index == 16 { buffer.reserve(records.count / 16) }
      append(&records[index], of: table)
    }
  }

  /// Adds a record, which is read in place: three copies would count the references of three.
  private mutating func append<Table: RecordTable>(
    _ record: inout Table.Record, of _: Table.Type
  ) {
    let parts = buffer.write { Table.write(&record, to: &$0) }
    entries.append(
      Entry(
        id: record.id, order: record.order, deletion: Table.deletion(of: record),
        fingerprint: buffer.fingerprint(of: parts), parts: parts))
  }

  /// Keeps only the records that a function selects.
  package mutating func keep(where isWanted: (Entry) -> Bool) {
    entries.removeAll { !isWanted($0) }
  }
}

/// A hash that is the same in every process and version, unlike Swift's own.
///
/// It is not cryptographic, and 64 bits could not be: an author of both versions of a record finds
/// two with the same 64 bits of any hash after some four billion attempts. Of versions that nobody
/// chose for it, one in 2^64 is overlooked: among a billion changes, one with a probability of one
/// in twenty billion. Each step multiplies two words of 64 bits and keeps all 128 bits of the
/// product, and the words themselves, so that a product of zero forgets nothing.
enum StableHash {
  static func value(of bytes: [UInt8], in range: Range<Int>) -> Int64 {
    bytes.withUnsafeBytes {
      Int64(bitPattern: value(of: UnsafeRawBufferPointer(rebasing: $0[range])))
    }
  }

  static func value(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hashes = (keys.0, keys.1)
    var index = 0
    // Two hashes side by side, because each multiplication waits for the one before it.
    while index + 32 <= bytes.count {
      hashes.0 = mix(word(bytes, index), word(bytes, index + 8), hashes.0)
      hashes.1 = mix(word(bytes, index + 16), word(bytes, index + 24), hashes.1)
      index += 32
    }
    while index + 16 <= bytes.count {
      hashes.0 = mix(word(bytes, index), word(bytes, index + 8), hashes.0)
      index += 16
    }
    var rest: (UInt64, UInt64) = (0, 0)
    for (shift, byte) in zip(0..., bytes[index...]) {
      let bits = UInt64(byte) << UInt64(shift % 8 * 8)
      if shift < 8 { rest.0 |= bits } else { rest.1 |= bits }
    }
    hashes.0 = mix(rest.0, rest.1, hashes.0)
    return mix(hashes.0, hashes.1, UInt64(bytes.count) ^ keys.2)
  }

  /// The first bits of the square roots of 2, 3, 5 and 7, as in SHA-2 (FIPS 180-4).
  private static let keys: (UInt64, UInt64, UInt64, UInt64) = (
    0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
  )

  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  private static func mix(_ first: UInt64, _ second: UInt64, _ hash: UInt64) -> UInt64 {
    let (left, right) = (first ^ keys.3, second ^ hash)
    let (high, low) = left.multipliedFullWidth(by: right)
    return high ^ low ^ left ^ (right << 23 | right >> 41)
  }
}
