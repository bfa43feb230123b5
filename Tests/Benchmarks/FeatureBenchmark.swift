import Foundation
import Networking
import TestSupport

/// The cost of each part of a session's chain, from sessions that differ in one part.
struct FeatureBenchmark {
  func run() async throws {
    let size = 1_024
    let server = try await NginxServer.start(files: ["short.json": HTTPBenchmark.json(size)])
    guard let url = URL(string: "\(server.url)/short.json"), let origin = Origin(url) else {
      return
    }
    let bearer = try BearerAuthorizer(
      token: String(repeating: "abcdefgh", count: 128), origins: [origin])
    // The cursor for further variants of the chain, one line each; the first is what the others are
    // compared with.
    let variants: [(String, SessionClient)] = [
      ("as it is by default", try SessionClient(url: url)),
      ("one attempt only", try SessionClient(url: url) { $0.retry.attempts = 1 }),
      ("redirects not followed", try SessionClient(url: url) { $0.redirects = .none }),
      (
        "a deadline for the operation",
        try SessionClient(url: url) { $0.timeout.operation = .seconds(60) }
      ),
      ("a bearer token", try SessionClient(url: url, authorizer: bearer)),
      (
        "a rate limit",
        try SessionClient(url: url) {
          $0.rateLimits = [RateLimit(requests: 1_000_000, interval: .seconds(1))]
        }
      ),
      (
        "a link around operations", try SessionClient(url: url, middleware: [PassingOn()])
      ),
      (
        "a link at the wire", try SessionClient(url: url, networkMiddleware: [PassingOn()])
      ),
      ("an observer", try SessionClient(url: url, isObserved: true)),
    ]
    let bare = BareClient(url: url)
    for concurrency in [1, HTTPBenchmark.connections] {
      try await Comparison(
        contenders: variants.map { $1.contender($0, bytes: size) } + [bare.contender(bytes: size)]
      ).run("\(size) bytes, sessions", concurrency: concurrency)
    }
    for (_, client) in variants { await client.shutdown() }
    try await bare.shutdown()
    await server.stop()
  }
}

/// A link that does nothing.
private struct PassingOn: Middleware {
  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    try await next.send(request)
  }
}
