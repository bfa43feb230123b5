import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Sync
import Synchronization
import TestSupport

/// A server that a test answers for, request by request, and a sync that asks it.
final class AnsweringServer: Middleware {
  /// An answer: a status and a body.
  typealias Answer = (status: Int, body: String)

  private let answer: @Sendable (_ path: String, _ query: [String: String]) -> Answer
  private let asked = Mutex<[String]>([])

  init(_ answer: @escaping @Sendable (_ path: String, _ query: [String: String]) -> Answer) {
    self.answer = answer
  }

  /// The path and the query of each request, the query without percent encoding.
  var requests: [String] { asked.withLock { $0 } }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    let query = Dictionary(
      (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    asked.withLock {
      $0.append(request.url.path() + "?" + (request.url.query()?.removingPercentEncoding ?? ""))
    }
    let answer = answer(request.url.path(), query)
    return StreamingResponse(
      head: HTTPResponse(status: .init(code: answer.status)),
      body: ResponseBody(Array(answer.body.utf8)), url: request.url)
  }

  /// Makes a sync into a database of its own, and passes both to a body.
  func run(
    _ feed: some ResourceFeed<Invoice>,
    _ check: (ResourceSync, LocalDatabase) async throws -> Void
  ) async throws { try await run(feed, into: \.invoiceStore, check) }

  /// Makes a sync of contacts into a database of its own, and passes both to a body.
  func runContacts(
    _ feed: some ResourceFeed<Contact>,
    _ check: (ResourceSync, LocalDatabase) async throws -> Void
  ) async throws { try await run(feed, into: \.contactStore, check) }

  private func run<Feed: ResourceFeed>(
    _ feed: Feed, into store: (LocalDatabase) -> ResourceStore<Feed.Record>,
    _ check: (ResourceSync, LocalDatabase) async throws -> Void
  ) async throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    let session = Session(
      name: "list", configuration: configuration, middleware: [self], logger: .silent)
    let sync = ResourceSync(
      account: "default", feed: feed, session: session, store: store(database),
      logger: .silent)
    do { try await check(sync, database) } catch {
      await session.shutdown()
      try await database.close()
      throw error
    }
    await session.shutdown()
    try await database.close()
  }
}

extension Response {
  /// An answer for a test of what reads it.
  static func canned(_ status: Int, _ body: String) throws -> Response {
    guard let url = URL(string: "http://server.test/") else { throw CocoaError(.formatting) }
    return Response(
      head: HTTPResponse(status: .init(code: status)), body: Array(body.utf8), url: url)
  }
}
