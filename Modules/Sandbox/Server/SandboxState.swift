import Foundation
import Hummingbird
import Models
import Synchronization

final class SandboxState: Sendable {
  let configuration: SandboxConfiguration
  let oauth: GrantServer
  let tenants: [Tenant]
  let faults = FaultPlan()
  let counter = RequestCounter()
  let organisations: OrganisationCounter
  let connections = OpenConnections()
  let clock = SandboxClock()
  let links: DocumentLinks
  /// The invoices of the first tenant, which the controls change.
  let books: InvoiceLedger
  private let baseURL = Mutex("")
  private let latency: Mutex<Duration>

  init(
    _ configuration: SandboxConfiguration, invoices: [[LedgerInvoice]], kept: KeptState? = nil
  ) {
    self.configuration = configuration
    latency = Mutex(configuration.tokenLatency)
    oauth = GrantServer(configuration, kept: kept, clock: clock)
    organisations = OrganisationCounter(limits: configuration.limits) { [clock] in clock.now }
    links = DocumentLinks(configuration, clock: clock)
    tenants = invoices.enumerated().map { number, invoices in
      let generator = InvoiceGenerator(
        seed: 0x6164_6465_6400 + UInt64(number), isVaried: configuration.variesSettlements)
      let ledger = InvoiceLedger(invoices, generator: generator, now: { Timestamp(Date()) })
      return Tenant(number: number, ledger: ledger)
    }
    books = tenants[0].ledger
    for change in kept?.changes ?? [] { books.make(change) }
  }

  /// The server's own address, known once it listens; the issuer of its tokens (RFC 8414).
  var issuer: String {
    get { baseURL.withLock { $0 } }
    set { baseURL.withLock { $0 = newValue } }
  }

  var tokenLatency: Duration {
    get { latency.withLock { $0 } }
    set { latency.withLock { $0 = newValue } }
  }

  var statistics: SandboxStatistics {
    let counts = counter.counts
    let grants = oauth.counts
    return SandboxStatistics(
      tokenRequests: counts.tokenRequests,
      refreshReuseDetected: grants.refreshReuse,
      codeReuseDetected: grants.codeReuse,
      revocations: grants.revocations,
      requests: counts.requests,
      organisations: organisations.counts,
      mostPerMinute: organisations.mostPerMinute,
      faultsApplied: counts.faultsApplied,
      linkRequestsWithCredentials: links.requestsWithCredentials)
  }

  /// Returns the tenants that a request's bearer token currently reaches (RFC 6750).
  ///
  /// A sign-in's token reaches all tenants or its share of them, a ``TenantKey`` reaches its own,
  /// and an invalid token none.
  func tenants(of request: Request) -> [Tenant] {
    Self.token(of: request).map(tenants(holding:)) ?? []
  }

  /// Returns the tenants that a token currently reaches.
  func tenants(holding token: String) -> [Tenant] {
    if let key = TenantKey(token) {
      return tenants.indices.contains(key.tenant) ? [tenants[key.tenant]] : []
    }
    guard let login = oauth.grantID(ofAccessToken: token) else { return [] }
    guard let share = configuration.tenantsPerLogin else { return tenants }
    return Array(tenants.dropFirst(login * share).prefix(share))
  }

  /// Returns true if a request's token has one of the scopes; a key of a tenant has all.
  func hasScope(_ request: Request, anyOf scopes: [String]) -> Bool {
    guard let token = Self.token(of: request), TenantKey(token) == nil else { return true }
    return oauth.scope(ofAccessToken: token)?.tokens.contains(where: scopes.contains) ?? false
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
private struct TenantKey {
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
