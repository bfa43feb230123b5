import Hummingbird

extension SandboxState {
  /// Returns the tenants that a request's bearer token currently reaches (RFC 6750).
  ///
  /// A sign-in's token reaches all tenants, a ``TenantKey`` reaches its own, and an invalid token
  /// none.
  func tenants(of request: Request) -> [Tenant] {
    guard let token = Self.token(of: request) else { return [] }
    if let key = TenantKey(token) {
      return tenants.indices.contains(key.tenant) ? [tenants[key.tenant]] : []
    }
    return oauth.accepts(accessToken: token) ? tenants : []
  }

  /// Returns true if a request has a key for live data, or a sign-in's token.
  func isLive(_ request: Request) -> Bool {
    Self.token(of: request).flatMap(TenantKey.init)?.isLive ?? true
  }

  private static func token(of request: Request) -> String? {
    let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }
}

/// A key that is always valid and reaches one tenant only, such as `sk_live_1` and `sk_test_1` for
/// the first one.
struct TenantKey {
  /// The number of the tenant, from 0.
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
