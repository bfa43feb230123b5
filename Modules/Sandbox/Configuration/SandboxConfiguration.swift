package import Providers

/// The behaviour of a sandbox and the invoices it serves.
///
/// A sandbox listens on 127.0.0.1 and on no other address, whatever its configuration.
package struct SandboxConfiguration: Sendable, Equatable {
  /// The source of the invoices.
  package enum InvoiceSource: Sendable, Hashable {
    /// Generated invoices; the same number and seed always give the same ones.
    case generated(invoices: Int, seed: UInt64)
    /// Invoices from `xero_invoice_data.csv` and `xero_invoice_line_item_data.csv` in a directory.
    case csv(directory: String)
  }

  /// The TCP port, or 0 for any free one.
  package var port = 0
  /// The provider whose API the sandbox imitates.
  package var provider = SandboxProvider.xero
  /// A description of the API to imitate instead of a provider's; `nil` for the provider's.
  package var description: RESTDescription?
  /// The invoices of the first tenant.
  ///
  /// Further tenants have generated invoices of their own, or none if the source is a directory.
  package var source = InvoiceSource.generated(invoices: 250, seed: 1)
  /// True if generated books hold settlements of every kind.
  ///
  /// These are credits of invoices that stay open, several credits of an invoice, credits and money
  /// on account of which a part is left, refunds, balances of customers, and payments and credits
  /// that were cancelled.
  package var variesSettlements = false
  /// The number of invoices on a page if the request names none, 1 through 1000.
  package var pageSize = 100
  /// The lifetime of an access token; at least one second.
  package var tokenLifetime = Duration.seconds(1_800)
  /// The delay of every request, except those to the controls.
  package var latency = Duration.zero
  /// The delay of the token endpoint's response *after* the exchange is committed.
  package var tokenLatency = Duration.zero
  /// True if an authorization request is answered with the redirect immediately, without a page.
  package var autoApprove = false
  /// The identifier of the public client, which uses the code flow with PKCE.
  package var clientID = "sandbox-client"
  /// The secret of the confidential client; `nil` generates one at every start.
  package var clientSecret: String?
  /// The time for which a spent refresh token is still accepted.
  ///
  /// Xero allows 30 minutes. The default is none: a repeated spent token then revokes every token
  /// of its grant (RFC 9700 section 4.14.2).
  package var reuseGrace = Duration.zero
  /// True if a renewal has to repeat the redirect URI of the sign-in, as at FreshBooks.
  package var refreshNeedsRedirectURI = false
  /// The shortest time between two polls of a device (RFC 8628); at least one second.
  package var deviceInterval = Duration.seconds(5)
  /// True if the authorization response carries `iss` and the metadata announces it (RFC 9207).
  package var announcesIssuer = true
  /// The request limits, or `nil` for none; for Xero's API only.
  package var limits: SandboxLimits?
  /// The number of tenants, 1 through 10000.
  package var tenants = 1
  /// The number of tenants that each sign-in reaches, which are those after the ones of the sign-in
  /// before; `nil` for all of them, as QuickBooks needs.
  package var tenantsPerLogin: Int?
  /// The file in which the port, the logins and the changes of the first tenant's invoices are kept
  /// for the next start, which continues with them; `nil` forgets them.
  package var stateFile: String?
  /// The certificate for HTTPS, or `nil` for plain HTTP.
  package var certificate: ServerCertificate?
  /// The files of invoices.
  package var documents = SandboxDocuments()

  /// Creates the default configuration: 250 generated invoices on any free port.
  package init() {}

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
    try require((1...10_000).contains(tenants), "tenants", "is not between 1 and 10000")
    try require(
      (1...tenants).contains(tenantsPerLogin ?? 1), "tenantsPerLogin",
      "is not between 1 and the number of tenants")
    try require((0...9_000_000_000).contains(documents.size), "documents.size", "is out of range")
    try require(
      (0...100).contains(documents.attachments), "documents.attachments",
      "is not between 0 and 100")
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
        var generator = InvoiceGenerator(
          seed: seed &+ UInt64(number), isVaried: variesSettlements)
        return generator.invoices(count: count)
      case .csv(let directory):
        return number == 0 ? try CSVInvoices.read(directory: directory) : []
      }
    }
  }
}

/// The certificate and private key with which a sandbox serves HTTPS.
///
/// Any certificate is accepted: a test of a client's certificate check needs a self-signed one, an
/// expired one, or one of another host.
package struct ServerCertificate: Sendable, Hashable {
  /// The path of the certificate chain, in PEM.
  package var certificateFile: String
  /// The path of the private key, in PEM.
  package var keyFile: String

  /// Creates a reference to two files; they are read when the server starts.
  package init(certificateFile: String, keyFile: String) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }
}

/// The reason why a sandbox did not start.
package enum SandboxError: Error {
  /// A value of the configuration is out of range: change it.
  case invalidConfiguration(option: String, reason: String)
  /// A file of invoices, faults or certificates cannot be used: repair it, or choose another.
  case unreadableFile(path: String, line: Int?, reason: String)
  /// The server cannot listen on the port: choose another, or 0 for any.
  case cannotListen(port: Int, underlying: any Error)
}

extension SandboxError: CustomStringConvertible {
  /// The error and its place, in one line without any secret.
  package var description: String {
    switch self {
    case .invalidConfiguration(let option, let reason):
      "\(option) \(reason)"
    case .unreadableFile(let path, let line?, let reason):
      "\(path), line \(line): \(reason)"
    case .unreadableFile(let path, nil, let reason):
      "\(path): \(reason)"
    case .cannotListen(let port, let underlying):
      // The server's library reports errno in a text only.
      "\(underlying)".contains("Address already in use")
        ? "port \(port) is in use; choose another with --port, or 0 for any"
        : "cannot listen on 127.0.0.1 port \(port): \(underlying)"
    }
  }
}
