import Glibc

/// The hosts that are reached without a proxy, as `no_proxy` lists them.
///
/// Entries are separated by commas or white space, and each is one of
/// - `*`: everything;
/// - `example.com`, `.example.com`, `*.example.com`: the domain and its sub-domains;
/// - `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]`: the address;
/// - `10.0.0.0/8`, `fd00::/8`: the block of addresses;
///
/// All but blocks and `*` may have a `:port`, for that port only. Case and trailing dots make no
/// difference. Names are not resolved: a name is in no block, and an address in no domain. Other
/// entries are ignored, as in curl and Go. This machine (`localhost`, `127.0.0.0/8`, `::1`) is
/// always reached directly, because a proxy's loopback is its own.
struct NoProxyList: Sendable {
  private enum Rule {
    case everything
    case network(IPNetwork, port: Int?)
    case domain(String, port: Int?)
  }

  private let rules: [Rule]

  /// Parses a list; an empty one contains only this machine.
  init(_ text: String) {
    rules = text.split { $0 == "," || $0.isWhitespace }.compactMap(Self.rule)
  }

  func contains(_ origin: Origin) -> Bool {
    var host = origin.host[...]
    if host.hasPrefix("[") {
      // A zone identifier follows `%` (RFC 6874).
      host = host.dropFirst().prefix { $0 != "]" && $0 != "%" }
    }
    host = Self.withoutTrailingDots(host)
    let address = IPNetwork(host)
    if host == "localhost" { return true }
    if let address, Self.loopback.contains(where: { $0.contains(address) }) { return true }
    return rules.contains { rule in
      switch rule {
      case .everything: true
      case .network(let network, let port):
        address.map(network.contains) == true && (port ?? origin.port) == origin.port
      case .domain(let domain, let port):
        address == nil && (host == domain || host.hasSuffix("." + domain))
          && (port ?? origin.port) == origin.port
      }
    }
  }

  private static let loopback = ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }

  private static func rule(_ entry: Substring) -> Rule? {
    if entry == "*" { return .everything }
    if entry.contains("/") { return IPNetwork(entry).map { .network($0, port: nil) } }
    guard let place = HostAndPort(entry) else { return nil }
    if let address = IPNetwork(place.host) { return .network(address, port: place.port) }
    var domain = place.host[...]
    if domain.hasPrefix("*.") { domain = domain.dropFirst() }
    if domain.hasPrefix(".") { domain = domain.dropFirst() }
    domain = withoutTrailingDots(domain)
    return domain.isEmpty ? nil : .domain(String(domain), port: place.port)
  }

  private static func withoutTrailingDots(_ text: Substring) -> Substring {
    var text = text
    while text.hasSuffix(".") { text = text.dropLast() }
    return text
  }
}

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

/// A host with or without a port, in a usual form: `name`, `name:80`, `192.0.2.1`, `[::1]:80` and
/// `::1`.
struct HostAndPort {
  /// The host in lower case, an IPv6 address without brackets.
  let host: String
  let port: Int?
  /// True if the host is an IPv6 address without brackets, and therefore has no port.
  let isBareIPv6: Bool

  /// Parses a host; a port is 1 to 65535, and may be missing after the colon.
  init?(_ text: some StringProtocol) {
    let text = text.lowercased()
    let host: Substring
    let tail: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[..<end].dropFirst()
      tail = text[end...].dropFirst()
      guard host.contains(":"), IPNetwork(host) != nil, !host.contains("/") else { return nil }
      isBareIPv6 = false
    } else if IPNetwork(text) != nil, text.contains(":") {
      host = text[...]
      tail = ""
      isBareIPv6 = true
    } else {
      host = text.prefix { $0 != ":" }
      tail = text[host.endIndex...]
      isBareIPv6 = false
    }
    guard !host.isEmpty, tail.isEmpty || tail.hasPrefix(":") else { return nil }
    let number = tail.dropFirst()
    if number.isEmpty {
      port = nil
    } else {
      guard let port = Int(digits: number), (1...65_535).contains(port) else { return nil }
      self.port = port
    }
    self.host = String(host)
  }
}
