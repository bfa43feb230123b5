/// The checksum CRC-32 (ISO 3309), which ZIP archives hold of each file.
struct CRC32 {
  /// Eight tables: of a byte, and of a byte with one to seven more bytes after it.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    for index in 256..<2_048 {
      let crc = tables[index - 256]
      tables.append(crc >> 8 ^ tables[Int(crc & 0xFF)])
    }
    return tables
  }()

  private var state = UInt32.max

  /// The checksum of the bytes so far.
  var value: UInt32 { ~state }

  mutating func update(_ bytes: [UInt8]) {
    state = Self.tables.withUnsafeBufferPointer { tables in
      bytes.withUnsafeBytes { bytes in
        var (crc, index) = (state, 0)
        while index + 8 <= bytes.count {
          // Eight bytes at a time: the remainders of all are looked up independently.
          let low = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
          let high = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
          let first = crc ^ low
          crc =
            tables[1_792 + Int(first & 0xFF)] ^ tables[1_536 + Int(first >> 8 & 0xFF)]
          crc ^= tables[1_280 + Int(first >> 16 & 0xFF)] ^ tables[1_024 + Int(first >> 24)]
          crc ^= tables[768 + Int(high & 0xFF)] ^ tables[512 + Int(high >> 8 & 0xFF)]
          crc ^= tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
          index += 8
        }
        while index < bytes.count {
          crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
          index += 1
        }
        return crc
      }
    }
  }
}
