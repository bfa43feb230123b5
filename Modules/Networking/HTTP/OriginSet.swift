package import HTTPTypes

/// The origins to which credentials may be sent, looked up once per request.
package struct OriginSet: Sendable {
  private let origins: Set<Origin>
  /// The usual spellings of these origins; comparing them is much faster than parsing a URL.
  private let spellings: [(scheme: String, authority: String)]

  /// Creates a set.
  package init(_ origins: Set<Origin>) {
    self.origins = origins
    spellings = origins.flatMap { origin in
      let usual = origin.scheme == "https" ? 443 : 80
      let explicit = (scheme: origin.scheme, authority: "\(origin.host):\(origin.port)")
      return origin.port == usual ? [(origin.scheme, origin.host), explicit] : [explicit]
    }
  }

  /// Returns whether a request goes to one of the origins.
  package func contains(_ request: HTTPRequest) -> Bool {
    if let scheme = request.scheme, let authority = request.authority,
      spellings.contains(where: { $0.authority == authority && $0.scheme == scheme })
    {
      return true
    }
    return Origin(request).map(origins.contains) ?? false
  }
}
