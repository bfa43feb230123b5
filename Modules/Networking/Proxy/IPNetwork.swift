import Glibc

/// A block of IP addresses (RFC 4632, RFC 4291 section 2.3); a single address is the smallest.
///
/// An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) is treated as the IPv4 address.
struct IPNetwork: Sendable, Hashable {
  private let bytes: [UInt8]
  private let prefix: Int

  /// Parses an address, or an address with `/` and the length of its prefix in bits.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, var bytes = Self.address(String(first)) else { return nil }
    var prefix = bytes.count * 8
    if parts.count == 2 {
      guard let number = Int(digits: parts[1]), number <= prefix else { return nil }
      prefix = number
    }
    if bytes.starts(with: Self.mapped), prefix >= 96 {
      bytes.removeFirst(12)
      prefix -= 96
    }
    self.bytes = bytes
    self.prefix = prefix
  }

  /// Returns whether every address of another block is in this one.
  func contains(_ other: IPNetwork) -> Bool {
    guard bytes.count == other.bytes.count, prefix <= other.prefix else { return false }
    let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
    guard bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
    return rest == 0 || (bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
  }

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  private static func address(_ text: String) -> [UInt8]? {
    let isIPv6 = text.contains(":")
    var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    return inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1 ? bytes : nil
  }
}

extension Int {
  /// Parses a number that consists of ASCII digits only, without a sign.
  init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}
