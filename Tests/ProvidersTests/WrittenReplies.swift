import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Sync
import SyncSupport
import Synchronization
import TestSupport

/// Replies that a test has written, to a session that reaches no network.
final class WrittenReplies: Middleware {
  struct Reply: Sendable {
    var status = 200
    var fields: HTTPFields = [:]
    var body: String

    init(_ body: String, status: Int = 200, fields: HTTPFields = [:]) {
      self.body = body
      self.status = status
      self.fields = fields
    }
  }

  private let asked = Mutex<[Request]>([])
  private let answer: @Sendable (Request, _ number: Int) -> Reply

  /// - Parameter answer: is given each request and its number, from 1.
  init(_ answer: @escaping @Sendable (Request, _ number: Int) -> Reply) {
    self.answer = answer
  }

  /// The method, path and query of each request.
  var requests: [String] {
    asked.withLock { $0 }.map { request in
      let query = request.url.query().map { "?" + $0 } ?? ""
      return "\(request.method.rawValue) \(request.url.path())\(query)"
    }
  }

  var sent: [Request] { asked.withLock { $0 } }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let number = asked.withLock { asked in
      asked.append(request)
      return asked.count
    }
    let reply = answer(request, number)
    return StreamingResponse(
      head: HTTPResponse(status: .init(code: reply.status), headerFields: reply.fields),
      body: ResponseBody(Array(reply.body.utf8)), url: request.url)
  }
}

/// A sync of written replies into a database.
struct WrittenSync {
  let replies: WrittenReplies
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let sync: ResourceSync

  /// - Parameter gate: what requests for the replies go through.
  init(
    _ feed: some ResourceFeed<Invoice>, _ replies: WrittenReplies, gate: RequestGate? = nil
  ) async throws {
    self.replies = replies
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(
      at: folder.file("test.sqlite"), lockTimeout: Patience.limit)
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    let links: [any Middleware] = ([gate, replies] as [(any Middleware)?]).compactMap(\.self)
    session = Session(
      name: "invoices", configuration: configuration, middleware: links, logger: .silent)
    sync = ResourceSync(
      account: "default", feed: feed, session: session, store: database.invoiceStore,
      logger: .silent)
  }

  func stored() async throws -> [StoredInvoice] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    query.sort = .stored
    query.isAscending = true
    return try await database.invoices(matching: query)
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
  }
}
