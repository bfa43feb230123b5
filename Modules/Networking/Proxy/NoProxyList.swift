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

  /// Returns whether an origin is reached without a proxy.
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
