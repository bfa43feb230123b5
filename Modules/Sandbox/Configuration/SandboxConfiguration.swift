/// The behaviour of a sandbox and the invoices it serves.
///
/// A sandbox listens on 127.0.0.1 and on no other address, whatever its configuration.
public struct SandboxConfiguration: Sendable, Hashable {
  /// The source of the invoices.
  public enum InvoiceSource: Sendable, Hashable {
    /// Generated invoices; the same number and seed always give the same ones.
    case generated(invoices: Int, seed: UInt64)
    /// Invoices from `xero_invoice_data.csv` and `xero_invoice_line_item_data.csv` in a directory.
    case csv(directory: String)
  }

  /// The TCP port, or 0 for any free one.
  public var port = 0
  /// The provider whose API the sandbox imitates.
  public var provider = SandboxProvider.xero
  /// The invoices of the first tenant.
  ///
  /// Further tenants have generated invoices of their own, or none if the source is a directory.
  public var source = InvoiceSource.generated(invoices: 250, seed: 1)
  /// The number of invoices on a page if the request names none, 1 through 1000.
  public var pageSize = 100
  /// The lifetime of an access token; at least one second.
  public var tokenLifetime = Duration.seconds(1_800)
  /// The delay of every request, except those to the controls.
  public var latency = Duration.zero
  /// The delay of the token endpoint's response *after* the exchange is committed.
  public var tokenLatency = Duration.zero
  /// True if an authorization request is answered with the redirect immediately, without a page.
  public var autoApprove = false
  /// The identifier of the public client, which uses the code flow with PKCE.
  public var clientID = "sandbox-client"
  /// The secret of the confidential client; `nil` generates one at every start.
  public var clientSecret: String?
  /// The time for which a spent refresh token is still accepted.
  ///
  /// Xero allows 30 minutes. The default is none: a repeated spent token then revokes every token
  /// of its grant (RFC 9700 section 4.14.2).
  public var reuseGrace = Duration.zero
  /// True if a renewal has to repeat the redirect URI of the sign-in, as at FreshBooks.
  public var refreshNeedsRedirectURI = false
  /// The shortest time between two polls of a device (RFC 8628); at least one second.
  public var deviceInterval = Duration.seconds(5)
  /// True if the authorization response carries `iss` and the metadata announces it (RFC 9207).
  public var announcesIssuer = true
  /// The request limits, or `nil` for none; for Xero's API only.
  public var limits: SandboxLimits?
  /// The number of tenants that `GET /connections` lists, 1 through 500.
  public var tenants = 1
  /// The certificate for HTTPS, or `nil` for plain HTTP.
  public var certificate: ServerCertificate?

  /// Creates the default configuration: 250 generated invoices on any free port.
  public init() {}

  /// Checks the values that have limits.
  func validate() throws {
    func require(_ condition: Bool, _ option: String, _ reason: String) throws {
      guard condition else {
        throw SandboxError.invalidConfiguration(option: option, reason: reason)
      }
    }
    try require((0...65_535).contains(port), "port", "is not a TCP port")
    try require((1...1_000).contains(pageSize), "pageSize", "is not between 1 and 1000")
    try require(tokenLifetime >= .seconds(1), "tokenLifetime", "is shorter than a second")
    try require(latency >= .zero, "latency", "is negative")
    try require(tokenLatency >= .zero, "tokenLatency", "is negative")
    try require(reuseGrace >= .zero, "reuseGrace", "is negative")
    try require(deviceInterval >= .seconds(1), "deviceInterval", "is shorter than a second")
    try require(!clientID.isEmpty, "clientID", "is empty")
    try require(clientID != Client.machineID, "clientID", "is the confidential client's")
    try require(clientSecret != "", "clientSecret", "is empty")
    try require((1...500).contains(tenants), "tenants", "is not between 1 and 500")
    if case .generated(let invoices, _) = source {
      try require((0...2_000_000).contains(invoices), "invoices", "is not between 0 and 2000000")
    }
  }
}

extension SandboxConfiguration {
  /// Reads or generates the invoices of every tenant; blocks while it does.
  func loadInvoices() throws -> [[LedgerInvoice]] {
    try (0..<tenants).map { number in
      switch source {
      case .generated(let count, let seed):
        var generator = InvoiceGenerator(seed: seed &+ UInt64(number))
        return generator.invoices(count: count)
      case .csv(let directory):
        return number == 0 ? try CSVInvoices.read(directory: directory) : []
      }
    }
  }
}
