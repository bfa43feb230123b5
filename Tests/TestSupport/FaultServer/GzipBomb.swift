/// A gzip file (RFC 1952) of zeros, a thousand times smaller than what is in it.
///
/// Its one Deflate block (RFC 1951 section 3.2.7) has one bit for "258 bytes more" and one for "as
/// the one before", both 0: a byte of zero bits stands for 1 032 bytes, and nothing has to be
/// compressed, or held, to send it.
package struct GzipBomb: Sendable {
  /// The bytes before the zero bytes.
  let start: [UInt8]
  /// The number of zero bytes.
  let zeros: Int
  /// The bytes after them.
  let end: [UInt8]

  /// The uncompressed size.
  package let size: Int
  /// The compressed size.
  package var compressedSize: Int { start.count + zeros + end.count }

  /// Makes the smallest one with at least so many bytes in it.
  package init(size wanted: Int) {
    zeros = max(0, (wanted - 1 + 1_031) / 1_032 - 1)
    size = 1 + 1_032 * (zeros + 1)
    var bits = BitWriter()
    bits.number(1, 1)  // the last block
    bits.number(2, 2)  // with codes of its own
    bits.number(286 - 257, 5)  // for literals and lengths
    bits.number(1 - 1, 5)  // for distances
    bits.number(18 - 4, 4)  // for the lengths of these codes, in their odd order:
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
      bits.number(symbol == 18 ? 1 : symbol == 1 || symbol == 2 ? 2 : 0, 3)
    }
    // From here on "a length of 1" is 10, "of 2" is 11, "so many unused" is 0 and their number.
    bits.code("11")  // a literal zero: 10
    for unused in [138, 117] {
      bits.code("0")
      bits.number(unused - 11, 7)
    }
    bits.code("11")  // the end: 11
    bits.code("0")
    bits.number(28 - 11, 7)
    bits.code("10")  // 258 bytes more: 0
    bits.code("10")  // from the byte before: 0
    bits.code("10")  // the first zero
    start = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255] + bits.bytes
    // One bit is missing for an even number of them; then the end.
    end =
      [0b110] + Self.littleEndian(Self.checksum(ofZeros: size))
      + Self.littleEndian(UInt32(truncatingIfNeeded: size))
  }

  /// The steps that send it.
  package var steps: [FaultScript.Step] {
    let chunk = 16_384
    let rest = [UInt8](repeating: 0, count: zeros % chunk)
    return [
      .send(Bytes(start)),
      .repeat(Bytes([UInt8](repeating: 0, count: chunk)), times: zeros / chunk),
      .send(Bytes(rest + end)),
    ]
  }

  private static func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// CRC-32 without going through the bytes: each multiplies the register by x^8.
  private static func checksum(ofZeros count: Int) -> UInt32 {
    var power: UInt32 = 1 << 23
    var register = UInt32.max
    var count = count
    while count > 0 {
      if count & 1 == 1 { register = product(register, power) }
      power = product(power, power)
      count >>= 1
    }
    return ~register
  }

  /// The product of two polynomials modulo that of CRC-32, the highest bit being x^0.
  private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var result: UInt32 = 0
    var right = right
    for bit in (0..<32).reversed() {
      if left >> bit & 1 == 1 { result ^= right }
      right = right & 1 == 1 ? right >> 1 ^ 0xEDB8_8320 : right >> 1
    }
    return result
  }
}

/// Packs bits as Deflate does (RFC 1951 section 3.1.1): from the lowest bit of each byte upwards.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// A number, its lowest bit first.
  mutating func number(_ value: Int, _ width: Int) {
    for bit in 0..<width { append(value >> bit & 1 == 1) }
  }

  /// A Huffman code, its first bit first.
  mutating func code(_ digits: String) {
    for digit in digits { append(digit == "1") }
  }

  private mutating func append(_ bit: Bool) {
    if count % 8 == 0 { bytes.append(0) }
    if bit { bytes[count / 8] |= 1 << UInt8(count % 8) }
    count += 1
  }
}
