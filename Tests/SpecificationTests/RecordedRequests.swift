import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Sandbox
import Storage
import Sync
import Synchronization
import TestSupport

/// Everything that a provider sends to a sandbox in all kinds of runs.
final class RecordedRequests: Middleware {
  private let sent = Mutex<[Request]>([])

  var requests: [Request] { sent.withLock { $0 } }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    sent.withLock { $0.append(request) }
    return try await next.send(request)
  }

  /// Runs first, unchanged, changed, verified, full and earlier syncs of a provider's lists, with
  /// its own feeds and with smaller pages, and sends all other requests.
  init(
    of provider: any Provider, played: SandboxProvider,
    organisation: (SandboxServer) -> String? = { _ in nil },
    smallPages: (ProviderContext) -> any ResourceFeed<Invoice>
  ) async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = played
    configuration.source = .generated(invoices: 60, seed: 7)
    let server = try await SandboxServer.start(configuration)
    let context = ProviderContext(
      account: "default", baseURL: server.url, tenantID: organisation(server))
    guard let origin = Origin(server.url) else { throw CocoaError(.featureUnsupported) }
    let session = Session(
      name: "invoices", configuration: SessionConfiguration(),
      authorizer: try BearerAuthorizer(token: try await Self.token(server), origins: [origin]),
      networkMiddleware: [self], logger: .silent)
    _ = try await provider.checkAccess(in: context, over: session)
    func run(_ sync: ResourceSync) async throws {
      for number in 0..<6 {
        var options = SyncOptions()
        switch number {
        case 2:
          server.changeInvoices(count: 9, seed: 3)
          server.voidInvoices(count: 3)
          server.deleteInvoices(count: 4)
          server.addInvoices(count: 5)
        case 3: options.verifies = true
        case 4: options.isFull = true
        case 5: options.since = Timestamp("2026-01-01T00:00:00Z")
        default: break
        }
        _ = try await sync.run(options)
      }
    }
    for resource in provider.resources(in: context) {
      _ = try await provider.sample(of: resource, in: context, over: session)
      try await withDatabase { database in
        if let sync = provider.sync(
          resource, in: context, over: session, into: database, logger: .silent)
        {
          try await run(sync)
        }
      }
    }
    func runSmall(_ feed: some ResourceFeed<Invoice>) async throws {
      try await withDatabase { database in
        let sync = ResourceSync(
          account: "default", feed: feed, session: session, store: database.invoiceStore,
          logger: .silent)
        try await run(sync)
      }
    }
    try await runSmall(smallPages(context))
    await session.shutdown()
    await server.stop()
  }

  private static func token(_ server: SandboxServer) async throws -> String {
    let session = Session(name: "token", configuration: SessionConfiguration(), logger: .silent)
    let pair = Data("\(server.machineClientID):\(server.machineClientSecret)".utf8)
    let response = try await session.send(
      try Request(
        method: .post, url: server.url.appending(path: "connect/token"),
        fields: [
          .contentType: "application/x-www-form-urlencoded",
          .authorization: "Basic " + pair.base64EncodedString(),
        ],
        body: Array(
          "grant_type=client_credentials&scope=accounting.invoices.read+accounting.settings.read"
            .utf8)))
    await session.shutdown()
    return try Node(json: response.body)["access_token"]?.string ?? ""
  }
}

/// Runs a test with a database of its own.
func withDatabase(_ body: (LocalDatabase) async throws -> Void) async throws {
  let folder = try TemporaryDirectory()
  defer { withExtendedLifetime(folder) {} }
  let database = try await LocalDatabase.open(
    at: folder.file("test.sqlite"), lockTimeout: Patience.limit)
  do { try await body(database) } catch {
    try await database.close()
    throw error
  }
  try await database.close()
}
