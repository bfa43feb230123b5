import Foundation
import HTTPTypes
import Logging
import Models
import Networking
import Providers
import Storage
import Sync
import SystemSupport
import TestSupport
import Testing

@testable import Documents
@testable import Sandbox

/// A sandbox in a provider's shape, a database with its invoices, and what fetches their files.
final class DocumentScene: Sendable {
  /// The providers that give files, as the sandbox imitates them.
  static let providers: [SandboxProvider] = [.xero, .quickbooks, .stripe, .moneybird]

  let server: SandboxServer
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let source: any DocumentSource
  let sync: DocumentSync
  private let provider: any Provider
  private let context: ProviderContext
  private let invoices: Session

  var store: ObjectStore { sync.store }

  /// Creates the scene with all invoices stored and no file.
  ///
  /// - Parameters:
  ///   - token: the login's token; `nil` asks for one with the usual scopes, which are those of
  ///     invoices alone.
  ///   - limits: the limits of both sessions.
  ///   - rateLimits: the published limits.
  ///   - time: the clock of the sessions and the sync of files.
  ///   - adjust: changes the sandbox.
  ///   - observer: receives the requests of both sessions.
  init(
    _ played: SandboxProvider = .xero, invoices count: Int = 40, token: String? = "sk_live_1",
    limits: SharedLimits? = nil, rateLimits: [RateLimit] = [], time: TimeSource = .system,
    logger: Logger = .silent, _ adjust: (inout SandboxConfiguration) -> Void = { _ in },
    observer: (@Sendable (HTTPExchange) -> Void)? = nil
  ) async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = played
    configuration.source = .generated(invoices: count, seed: 7)
    adjust(&configuration)
    server = try await SandboxServer.start(configuration)
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(
      at: folder.file("data.sqlite"), lockTimeout: Patience.limit)
    provider = Self.provider(played)
    let tenant = try #require(server.tenantIDs.first)
    context = ProviderContext(
      account: "default", baseURL: server.url,
      tenantID: played == .moneybird
        ? MoneybirdIdentifier.of(tenant) : played == .stripe ? nil : tenant)
    let origin = try #require(Origin(server.url))
    let authorizer: BearerAuthorizer =
      if let token { try BearerAuthorizer(token: token, origins: [origin]) } else {
        try await Self.authorizer(server, origin)
      }
    var values = SessionConfiguration()
    values.proxy = .none
    values.rateLimits = rateLimits
    values.retry.baseDelay = .milliseconds(1)
    (values.timeout.connect, values.timeout.idle, values.timeout.request) = (
      Patience.limit, Patience.limit, Patience.limit
    )
    func makeSession(_ name: String) -> Session {
      Session(
        name: name, configuration: values, authorizer: authorizer, observer: observer,
        logger: logger, sharedLimits: limits, time: time)
    }
    invoices = makeSession("invoices")
    values.isBackground = true
    session = makeSession("documents")
    source = try #require(provider.documents(in: context))
    sync = DocumentSync(
      account: "default", provider: provider.profile.title, source: source, session: session,
      database: database, store: ObjectStore(folder: folder.file("documents")), time: time)
    CleanUp.atEnd { [self] in await stop() }
    try await syncInvoices()
  }

  private static func provider(_ played: SandboxProvider) -> any Provider {
    switch played {
    case .xero: XeroProvider()
    case .quickbooks: QuickBooksProvider()
    case .stripe: StripeProvider()
    case .moneybird: MoneybirdProvider()
    case .square: SquareProvider()
    }
  }

  private static func authorizer(
    _ server: SandboxServer, _ origin: Origin
  ) async throws -> BearerAuthorizer {
    struct Token: Decodable {
      let accessToken: String
      enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }
    let session = Session(name: "token", configuration: SessionConfiguration(), logger: .silent)
    let pair = Data("\(server.machineClientID):\(server.machineClientSecret)".utf8)
    let response = try await session.send(
      try Request(
        method: .post, url: server.url.appending(path: "connect/token"),
        fields: [
          .contentType: "application/x-www-form-urlencoded",
          .authorization: "Basic " + pair.base64EncodedString(),
        ], body: Array("grant_type=client_credentials".utf8)))
    await session.shutdown()
    let token = try JSONDecoder().decode(Token.self, from: Data(response.body)).accessToken
    return try BearerAuthorizer(token: token, origins: [origin])
  }

  private func stop() async {
    await session.shutdown()
    await invoices.shutdown()
    do { try await database.close() } catch { Issue.record("\(error)") }
    await server.stop()
  }

  /// Syncs the lists of invoices and credit notes.
  @discardableResult
  func syncInvoices(_ options: SyncOptions = SyncOptions()) async throws -> [SyncReport] {
    var reports: [SyncReport] = []
    for resource in provider.resources(in: context) where resource.kind == .invoices {
      let sync = provider.sync(
        resource, in: context, over: invoices, into: database, logger: .silent)
      reports.append(try await #require(sync).run(options))
    }
    return reports
  }

  /// Fetches files.
  @discardableResult
  func fetch(
    _ adjust: (inout DocumentSyncOptions) -> Void = { _ in },
    progress: @escaping @Sendable (DocumentProgress) -> Void = { _ in }
  ) async throws -> DocumentReport {
    var options = DocumentSyncOptions()
    adjust(&options)
    return try await sync.run(options, progress: progress)
  }

  /// The identity of a file, the same for what is served and what is stored.
  struct Key: Hashable {
    let invoice: String
    let kind: DocumentKind
    let id: String

    init(_ invoice: String, _ kind: DocumentKind, _ id: String) {
      // QuickBooks' identifiers are stored with the kind of the record before them.
      self.invoice = invoice.split(separator: "/").last.map(String.init) ?? invoice
      (self.kind, self.id) = (kind, id)
    }
  }

  /// Returns the rows of files, also of void and deleted invoices.
  func stored() async throws -> [Key: StoredDocument] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let keys = try await database.invoiceKeys(matching: query)
    let found = try await database.documentedInvoices(withKeys: keys).flatMap(\.documents)
    return Dictionary(
      uniqueKeysWithValues: found.map { (Key($0.invoiceID, $0.kind, $0.id), $0) })
  }

  /// Returns the files that the provider gives of the invoices that are neither void nor deleted.
  func served(
    _ kinds: Set<DocumentKind> = [.pdf, .attachment]
  ) async throws -> [Key: SandboxDocument] {
    let invoices = try await database.invoices(matching: InvoiceQuery()).map(\.invoice)
    let byID = Dictionary(uniqueKeysWithValues: invoices.map { (Key($0.id, .pdf, "").invoice, $0) })
    var served: [Key: SandboxDocument] = [:]
    for document in server.documents() where kinds.contains(document.kind) {
      let key = Key(document.invoiceID, document.kind, document.id)
      guard let invoice = byID[key.invoice],
        document.kind == .attachment || source.renders(document.kind, of: invoice)
      else { continue }
      served[key] = document
    }
    return served
  }

  /// Returns the names of the objects that are there.
  func objects() -> Set<String> {
    Set(SampleDocuments.files(in: store.objects).map { URL(filePath: $0).lastPathComponent })
  }

  /// Requires that exactly the served files are stored, byte for byte.
  func expectServed(
    _ kinds: Set<DocumentKind> = [.pdf, .attachment],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let served = try await served(kinds)
    let stored = try await stored().filter { $0.value.state == .stored }
    #expect(Set(stored.keys) == Set(served.keys), sourceLocation: sourceLocation)
    #expect(!served.isEmpty, sourceLocation: sourceLocation)
    for (key, document) in served {
      guard let row = stored[key], let sha256 = row.sha256 else { continue }
      let content = Array(try Data(contentsOf: URL(filePath: store.path(of: sha256))))
      #expect(content == document.bytes, "\(key)", sourceLocation: sourceLocation)
      #expect(
        sha256 == SHA256.hash(Data(content)).hexadecimal && row.size == content.count,
        sourceLocation: sourceLocation)
      #expect(
        try SampleDocuments.mode(store.path(of: sha256)) == 0o600, sourceLocation: sourceLocation)
    }
  }

  /// Returns the number of requests that the server has answered, or of those to some paths.
  func requests(_ isCounted: (String) -> Bool = { _ in true }) async -> Int {
    await server.statistics().requests.filter { isCounted($0.key) }.values
      .reduce(0) { $0 + $1.values.reduce(0, +) }
  }

  /// The path of the requests that answer with PDFs, for a fault.
  var pathOfPDFs: String {
    switch server.state.configuration.provider {
    case .xero, .square: "/api.xro/2.0/Invoices/*"
    case .quickbooks: "/v3/company/\(server.tenantIDs[0])/invoice/*"
    case .stripe, .moneybird: "/d/*"
    }
  }
}
