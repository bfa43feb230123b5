import Foundation

/// An `http://` address on this machine, taken apart for a request.
struct LoopbackAddress: Sendable, Hashable {
  /// The numeric addresses to try, in this order.
  let candidates: [String]
  let port: UInt16
  /// What the `Host` header says.
  let authority: String
  /// Path and query, percent-encoded.
  let target: String

  init(_ text: String) throws(LoopbackError) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let components = URLComponents(string: text), components.scheme == "http",
      components.user == nil, components.password == nil, let host = components.host,
      let candidates = Self.candidates[host],
      let port = UInt16(exactly: components.port ?? 80)
    else { throw .notLoopback }
    self.candidates = candidates
    self.port = port
    let name = host == "::1" ? "[::1]" : host
    authority = components.port == nil ? name : "\(name):\(port)"
    let path = components.percentEncodedPath
    let query = components.percentEncodedQuery.map { "?" + $0 } ?? ""
    target = (path.isEmpty ? "/" : path) + query
  }

  private static let candidates = [
    "127.0.0.1": ["127.0.0.1"], "::1": ["::1"], "[::1]": ["::1"],
    "localhost": ["127.0.0.1", "::1"],
  ]
}
