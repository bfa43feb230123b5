/// A host with or without a port, in a usual form: `name`, `name:80`, `192.0.2.1`, `[::1]:80` and
/// `::1`.
struct HostAndPort {
  /// The host in lower case, an IPv6 address without brackets.
  let host: String
  /// The port, if one is written.
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
