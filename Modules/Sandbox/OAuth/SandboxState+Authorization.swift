import Hummingbird

extension SandboxState {
  /// The tenants that a request's bearer token reaches now (RFC 6750): all for a token of a
  /// sign-in, the one for its ``TenantKey``, and none for a token that is not valid.
  func tenants(of request: Request) -> [Tenant] {
    guard let token = Self.token(of: request) else { return [] }
    if let key = TenantKey(token) {
      return tenants.indices.contains(key.tenant) ? [tenants[key.tenant]] : []
    }
    return oauth.accepts(accessToken: token) ? tenants : []
  }

  /// Returns true if a request is sent with a key for live data, or with a token of a sign-in.
  func isLive(_ request: Request) -> Bool {
    Self.token(of: request).flatMap(TenantKey.init)?.isLive ?? true
  }

  private static func token(of request: Request) -> String? {
    let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }
}

/// A key that is always valid and reaches one tenant alone: `sk_live_1` and `sk_test_1` the first
/// one.
struct TenantKey {
  /// The tenant, from 0.
  let tenant: Int
  let isLive: Bool

  init?(_ text: String) {
    let parts = text.split(separator: "_")
    guard parts.count == 3, parts[0] == "sk", ["live", "test"].contains(parts[1]),
      let number = Int(parts[2]), number > 0
    else { return nil }
    tenant = number - 1
    isLive = parts[1] == "live"
  }
}
