import Foundation
import Logging
import Models
import Networking
import Providers
import Storage
import Sync

/// A server, an empty database, and a sync between them over a wire that can inject faults.
struct ConformanceScene: Sendable {
  static let account = "conformance"

  let provider: any Provider
  let server: any ProviderServer
  let database: LocalDatabase
  let wire = FaultyWire()
  let credentials: RenewedCredentials

  private let folder: String
  private let session: Session

  init(_ provider: any Provider, _ server: any ProviderServer) async throws {
    self.provider = provider
    self.server = server
    credentials = RenewedCredentials(server.authorizer)
    // Nothing here has to outlive the machine, and writing to a disk would delay every page.
    let memory = "/dev/shm"
    let isThere = FileManager.default.isWritableFile(atPath: memory)
    let parent =
      isThere ? memory : FileManager.default.temporaryDirectory.path(percentEncoded: false)
    folder = parent + "/conformance-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    database = try await LocalDatabase.open(at: folder + "/conformance.sqlite")
    var configuration = SessionConfiguration()
    // The only wait here is the one before the next attempt.
    configuration.retry.baseDelay = .milliseconds(1)
    configuration.concurrency = provider.profile.concurrency ?? configuration.concurrency
    session = Session(
      name: "conformance", configuration: configuration, authorizer: credentials,
      networkMiddleware: [wire] + [server.link].compactMap(\.self), logger: Self.silent)
  }

  private static var silent: Logger {
    Logger(label: "conformance") { _ in SwiftLogNoOpLogHandler() }
  }

  /// Returns the sync of an organisation's resource; `nil` if the provider has no such resource.
  func sync(_ resource: Resource, organisation: String?) -> ResourceSync? {
    provider.sync(
      resource, in: context(of: organisation), over: session, into: database, signIn: signIn,
      logger: Self.silent)
  }

  /// Returns the context that the provider's feeds are created from.
  func context(of organisation: String?) -> ProviderContext {
    ProviderContext(account: Self.account, baseURL: server.url, tenantID: organisation)
  }

  private var signIn: SignInSource {
    let credentials = credentials
    return SignInSource(login: { credentials.login }, inUse: { credentials.login })
  }

  /// Runs the sync of the first organisation's invoices.
  func run(
    _ adjust: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> SyncReport {
    var options = SyncOptions()
    adjust(&options)
    return try await run(options, organisation: server.organisations.first)
  }

  func run(
    _ options: SyncOptions, organisation: String?, of resource: Resource = .invoices
  ) async throws -> SyncReport {
    guard let sync = sync(resource, organisation: organisation) else {
      throw SyncError.unreadable(part: "the provider", reason: "it has no list of \(resource)")
    }
    return try await sync.run(options)
  }

  /// Returns the error that a run throws; `nil` if it throws none.
  func failure(_ adjust: (inout SyncOptions) -> Void = { _ in }) async throws -> (any Error)? {
    do {
      _ = try await run(adjust)
      return nil
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      return error
    }
  }

  /// Returns all stored invoices by identifier, including deleted ones.
  func stored() async throws -> [String: StoredInvoice] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let rows = try await database.invoices(matching: query)
    return Dictionary(rows.map { ($0.invoice.id, $0) }) { $1 }
  }

  /// Returns the stored invoices that are not deleted, by identifier, reduced to what can be
  /// compared.
  func live() async throws -> [String: Invoice] {
    try await stored().filter { $0.value.deletedAt == nil }
      .mapValues { server.comparable($0.invoice) }
  }

  /// Returns the differences between the stored invoices and those of the server.
  ///
  /// - Parameter isPart: true if some invoices may be missing.
  func differences(_ moment: String, isPart: Bool = false) async throws -> [String] {
    let comparison = BookComparison(from: try await served(), to: try await live())
    return comparison.sentences(isPart: isPart).map { moment + ": " + $0 }
  }

  /// Returns the server's invoices by identifier.
  func served() async throws -> [String: Invoice] {
    Dictionary(try await server.invoices().map { ($0.id, $0) }) { $1 }
  }

  /// Runs once more without faults, and returns the problems if that does not fetch everything.
  func recovers(
    _ moment: String, _ configure: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> [String] {
    wire.clear()
    let report = try await run(configure)
    var problems: [String] = []
    problems.expect(report.result == .complete, "\(moment): the next run is \(report.result)")
    return try await problems + differences(moment)
  }

  func close() async throws {
    await session.shutdown()
    try await database.close()
    try FileManager.default.removeItem(atPath: folder)
  }
}
