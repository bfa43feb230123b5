import Foundation
import HTTPTypes
import Logging
import Networking
import Synchronization
import TestSupport
import Testing

/// A session and the exchanges that it reports, with helpers for its tests.
final class ObservedSession: Sendable {
  static let ok = reply("200 OK", body: "ok")

  let session: Session
  private let reported: ReportedExchanges

  private final class ReportedExchanges: Sendable {
    let exchanges = Mutex<[HTTPExchange]>([])
  }

  init(
    _ name: String = "observed", attempts: Int = 1, authorizer: (any RequestAuthorizer)? = nil,
    logger: Logger = Logger(label: "test"),
    _ adjust: (inout SessionConfiguration) -> Void = { _ in }
  ) {
    let reported = ReportedExchanges()
    self.reported = reported
    var configuration = SessionConfiguration()
    configuration.retry.attempts = attempts
    configuration.retry.baseDelay = .milliseconds(1)
    adjust(&configuration)
    session = Session(
      name: name, configuration: configuration, authorizer: authorizer,
      observer: { exchange in reported.exchanges.withLock { $0.append(exchange) } }, logger: logger)
  }

  /// The exchanges that the observer has received so far.
  var exchanges: [HTTPExchange] { reported.exchanges.withLock { $0 } }

  @discardableResult
  func get(_ server: ScriptedServer, _ target: String = "/x") async throws -> Int {
    let url = try #require(URL(string: server.url + target))
    return try await session.send(try Request(url: url)).head.status.code
  }

  static func reply(
    _ status: String, fields: String = "", body: String = ""
  ) -> ScriptedServer.Step {
    .reply(
      "HTTP/1.1 \(status)\r\nConnection: close\r\n\(fields)"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }
}

extension HTTPExchange {
  /// The status, where a response came.
  var status: Int? {
    guard case .response(let status) = outcome else { return nil }
    return status
  }
}
