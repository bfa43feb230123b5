import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// A session against a real server that ends connections under load.
@Suite(
  .timeLimit(.minutes(10)), .cleansUp,
  .enabled(if: NginxServer.isAvailable, "nginx is not installed"))
struct HTTP2Tests {
  @Test(
    "every request is answered while nginx closes connections after 20 requests and is reloaded",
    arguments: [false, true])
  func closedConnections(isSecure: Bool) async throws {
    var options = NginxServer.Options()
    options.isSecure = isSecure
    options.keepaliveRequests = 20
    options.logsRequests = true
    let server = try await NginxServer.start(options, files: ["a.json": #"{"a":1}"#])
    var configuration = SessionConfiguration()
    configuration.concurrency = 64
    // A debug build performs some hundred handshakes concurrently here.
    configuration.timeout.connect = .seconds(60)
    // Each of the four reloads closes all 64 connections, and can meet the same request, one of
    // them twice: the usual number of attempts is one too few for that. The waits between stay as
    // they are.
    configuration.retry.attempts = 8
    if isSecure { configuration.extraCACertificates = [server.certificate] }
    let session = Session(name: "test", configuration: configuration)
    let request = try Request(url: try #require(URL(string: server.url + "/a.json")))
    let total = 2_000
    let answered = Counter()
    let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<64 {
        group.addTask {
          var statuses: [Int] = []
          while answered.value < total {
            statuses.append(try await session.send(request).head.status.code)
            answered.increment()
          }
          return statuses
        }
      }
      // In the middle of the requests, by their count and not by a clock.
      for part in 1...4 {
        try await eventually("requests are answered") {
          answered.value >= total * part / 5
        }
        try await server.reload()
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(statuses.count >= total)
    #expect(statuses.allSatisfy { $0 == 200 })
    // What the server saw: HTTP/1.1, also where it offers HTTP/2.
    let log = server.accessLog.split(separator: "\n")
    #expect(log.allSatisfy { $0.contains(" HTTP/1.1 ") })
    #expect(Set(log.compactMap { $0.split(separator: " ").first }).count >= total / 20)
  }
}
