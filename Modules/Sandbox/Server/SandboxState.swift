import Foundation
import Models
import Synchronization

/// The state that all endpoints share.
final class SandboxState: Sendable {
  let configuration: SandboxConfiguration
  let oauth: GrantServer
  let tenants: [Tenant]
  let faults = FaultPlan()
  let counter = RequestCounter()
  let organisations: OrganisationCounter
  let connections = OpenConnections()
  /// The invoices of the first tenant, which the controls change.
  let books: InvoiceLedger
  private let baseURL = Mutex("")
  private let latency: Mutex<Duration>

  /// Creates the state with the invoices of each tenant.
  init(_ configuration: SandboxConfiguration, invoices: [[LedgerInvoice]]) {
    self.configuration = configuration
    latency = Mutex(configuration.tokenLatency)
    oauth = GrantServer(configuration)
    organisations = OrganisationCounter(limits: configuration.limits)
    tenants = invoices.enumerated().map { number, invoices in
      let generator = InvoiceGenerator(seed: 0x6164_6465_6400 + UInt64(number))
      let ledger = InvoiceLedger(invoices, generator: generator, now: { Timestamp(Date()) })
      return Tenant(number: number, ledger: ledger)
    }
    books = tenants[0].ledger
  }

  /// The server's own address, known once it listens; the issuer of its tokens (RFC 8414).
  var issuer: String {
    get { baseURL.withLock { $0 } }
    set { baseURL.withLock { $0 = newValue } }
  }

  /// The delay of answers to requests for tokens.
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
      faultsApplied: counts.faultsApplied)
  }
}
