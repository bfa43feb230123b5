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

  let folder: String
  let session: Session

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

  static var silent: Logger {
    Logger(label: "conformance") { _ in SwiftLogNoOpLogHandler() }
  }

  /// Returns the sync of an organisation's resource; `nil` if the provider has no such resource.
  func sync(_ resource: Resource, organisation: String?) -> ResourceSync? {
    provider.sync(
      resource, in: context(of: organisation), over: session, into: database, signIn: signIn,
      logger: Self.silent)
  }

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

  /// Alters an invoice, deletes another and invents a third, as a user with a database tool could.
  func alterDatabase() async throws {
    let live = try await liveInvoices()
    guard live.count > 2 else { return }
    var altered = live[0]
    altered.total = altered.total.adding(ExactDecimal(1)) ?? .zero
    var invented = live[2]
    invented.id = "invented"
    try await store([altered, invented], removing: live[1].id, in: database.invoiceStore)
  }

  /// Stores invoices that the server never had.
  func inventInvoices(_ count: Int) async throws {
    guard let pattern = try await liveInvoices().first else { return }
    try await store(
      (0..<count).map { number in
        var invoice = pattern
        invoice.id = "invented-\(number)"
        return invoice
      }, in: database.invoiceStore)
  }

  private func liveInvoices() async throws -> [Invoice] {
    try await stored().values.filter { $0.deletedAt == nil }.map(\.invoice)
      .sorted { $0.id < $1.id }
  }

  /// Stores records that the server never had, as if a run had fetched them.
  func store<Record>(
    _ records: [Record], removing removed: String? = nil, in store: ResourceStore<Record>
  ) async throws {
    guard let resumption = try await store.resumption(account: Self.account) else { return }
    let now = Timestamp(Date())
    let run = try await store.beginRun(
      RunStart(
        account: Self.account, provider: provider.name, kind: .incremental, startedAt: now,
        watermarkBefore: nil))
    var page = PendingPage(source: resumption.source, instant: now)
    page.records = store.encode(records)
    page.removals = [removed].compactMap { id in id.map { Removal(id: $0, reason: "altered") } }
    _ = try await run.commit([page])
    try await run.end(RunEnd(result: .complete, watermark: nil, requests: 0, endedAt: now))
  }
}

/// Everything in a database that a run can change.
struct StoredState: Equatable {
  private let invoices: [String: StoredInvoice]
  private let resumption: Resumption?
  /// The start of the latest run, in microseconds since 1970.
  private let lastRun: Int64?

  init(_ scene: ConformanceScene) async throws {
    invoices = try await scene.stored()
    let store = scene.database.invoiceStore
    resumption = try await store.resumption(account: ConformanceScene.account)
    let last = try await scene.database.lastRun(
      account: ConformanceScene.account, resource: store.resource)
    lastRun = last?.startedAt.microsecondsSinceEpoch
  }
}

/// The differences between records and the expected or earlier ones.
struct BookComparison<Record: Equatable> {
  let added: [String]
  let removed: [String]
  let edited: [String]

  private let old: [String: Record]
  private let new: [String: Record]

  init(from old: [String: Record], to new: [String: Record]) {
    self.old = old
    self.new = new
    added = new.keys.filter { old[$0] == nil }.sorted()
    removed = old.keys.filter { new[$0] == nil }.sorted()
    edited = old.keys.filter { id in new[id].map { $0 != old[id] } ?? false }.sorted()
  }

  func sentences(isPart: Bool) -> [String] {
    var sentences: [String] = []
    if !removed.isEmpty, !isPart {
      sentences.append("\(removed.count) missing, such as \(removed[0])")
    }
    if !added.isEmpty { sentences.append("\(added.count) too many, such as \(added[0])") }
    if let id = edited.first, let old = old[id], let new = new[id] {
      sentences.append(
        "\(edited.count) different, such as \(id) in "
          + Self.properties(in: old, notIn: new).joined(separator: ", "))
    }
    return sentences
  }

  private static func properties(in old: Record, notIn new: Record) -> [String] {
    zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children).compactMap { old, new in
      let (wanted, found) = ("\(old.value)", "\(new.value)")
      return wanted == found ? nil : "\(old.label ?? "") (\(found) in place of \(wanted))"
    }
  }
}
