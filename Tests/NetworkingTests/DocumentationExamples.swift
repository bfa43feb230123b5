import Foundation
import HTTPTypes
import Networking

// The code of the guides in Networking.docc, word for word; DocumentationTests compares.

func sessions(
  sharing login: any RequestAuthorizer
) -> (invoices: Session, documents: Session) {
  var forInvoices = SessionConfiguration()
  forInvoices.timeout.request = .seconds(30)
  forInvoices.concurrency = 4
  forInvoices.rateLimits = [RateLimit(requests: 60, interval: .seconds(60))]

  var forDocuments = SessionConfiguration()
  forDocuments.timeout.request = .seconds(300)
  forDocuments.timeout.idle = .seconds(60)
  forDocuments.concurrency = 1

  return (
    Session(name: "invoices", configuration: forInvoices, authorizer: login),
    Session(name: "documents", configuration: forDocuments, authorizer: login)
  )
}

func size(of request: Request, in session: Session) async throws -> Int {
  let response = try await session.stream(request)
  var size = 0
  for try await piece in response.body { size += piece.count }
  return size
}

func fetch(_ request: Request, to path: String, in session: Session) async throws {
  let download = try await session.download(request, to: path) { progress in
    print("\(progress.received) of \(progress.expected ?? 0)")
  }
  print("\(download.size) bytes in \(download.path)")
}

struct Idempotency: Middleware {
  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    var request = request
    if request.method == .post {
      try request.setField("Idempotency-Key", to: UUID().uuidString)
      request.isSafeToRetry = true
    }
    return try await next.send(request)
  }
}

func search(_ request: Request, in session: Session) async throws -> Response {
  // What was typed before is of no interest any more.
  session.cancel("search")
  var request = request
  request.tag = "search"
  return try await session.send(request)
}

func networkChanged(isThere: Bool, session: Session) {
  if isThere { session.resume() } else { session.suspend() }
}

func patientConfiguration() -> SessionConfiguration {
  var configuration = SessionConfiguration()
  configuration.retry.attempts = 6
  configuration.retry.baseDelay = .seconds(1)
  configuration.retry.maxWait = .seconds(60)
  configuration.retry.totalWait = .seconds(180)
  configuration.timeout.operation = .seconds(300)
  return configuration
}

func create(
  _ body: [UInt8], at url: URL, key: String, in session: Session
) async throws -> Response {
  var request = try Request(method: .post, url: url, body: body)
  try request.setField("Idempotency-Key", to: key)
  request.isSafeToRetry = true
  return try await session.send(request)
}
