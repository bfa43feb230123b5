import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Networking
import TestSupport
import Testing

/// The exchanges that a session reports to an observer and in its log.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ObservationTests {
  @Test("each request on the wire is reported with method, address, status, size and times")
  func success() async throws {
    let server = try ScriptedServer([ObservedSession.ok])
    let observed = ObservedSession("invoices")
    try await observed.get(server, "/a/b")
    let exchange = try #require(observed.exchanges.first)
    #expect(observed.exchanges.count == 1)
    #expect(exchange.session == "invoices" && exchange.method == "GET")
    #expect(exchange.url == server.url + "/a/b" && exchange.attempt == 1)
    #expect(exchange.status == 200 && exchange.bodySize == 2)
    let head = try #require(exchange.untilHead)
    #expect(head > .zero && head <= exchange.duration)
    #expect(
      exchange.description.contains(
        #/^GET http://127\.0\.0\.1:\d+/a/b 200, \d+\.\d ms \(head \d+\.\d ms\), 2 bytes/#))
  }

  @Test("a repeated and a finally failed request are reported with their attempts")
  func retries() async throws {
    let server = try ScriptedServer([ObservedSession.reply("503 Busy"), .reset, .reset])
    let observed = ObservedSession(attempts: 3)
    await #expect(throws: SessionError.self) { try await observed.get(server) }
    #expect(observed.exchanges.map(\.attempt) == [1, 2, 3])
    #expect(observed.exchanges.map(\.status) == [503, nil, nil])
    let last = try #require(observed.exchanges.last)
    #expect(last.untilHead == nil && last.bodySize == nil)
    #expect(last.description.contains("failed: lost the connection to \(server.url)"))
    #expect(last.description.contains("attempt 3"))
  }

  @Test("each step of a redirect is reported, all as one attempt")
  func redirects() async throws {
    let server = try ScriptedServer([
      ObservedSession.reply("302 Found", fields: "Location: /there?code=canary\r\n"),
      ObservedSession.ok,
    ])
    let observed = ObservedSession()
    try await observed.get(server)
    #expect(observed.exchanges.map(\.status) == [302, 200])
    #expect(observed.exchanges.map(\.attempt) == [1, 1])
    #expect(observed.exchanges.last?.url == server.url + "/there?code=…")
  }

  @Test(
    "an exchange shows only the paging and sorting parameters of a query",
    arguments: [
      ("/x", "/x"), ("/x?", "/x?"), ("/x?token=canary", "/x?token=…"),
      (
        "/x?page=2&pageSize=100&order=Date&where=canary",
        "/x?page=2&pageSize=100&order=Date&where=…"
      ),
      ("/x?PAGE=2&a=canary=canary&flag&b=", "/x?PAGE=2&a=…&…&…"),
      ("/x?q=canary?page=canary", "/x?q=…"), ("/x?%70age=canary", "/x?…"),
    ])
  func redaction(sent: String, shown: String) async throws {
    let server = try ScriptedServer([ObservedSession.ok])
    let observed = ObservedSession()
    try await observed.get(server, sent)
    #expect(server.requests.first?.hasPrefix("GET \(sent) ") == true)
    #expect(observed.exchanges.first?.url == server.url + shown)
  }

  @Test("the log at its loudest holds no field, no body, no query's value")
  func secrets() async throws {
    let answer = ObservedSession.reply(
      "400 No", fields: "WWW-Authenticate: canary\r\nSet-Cookie: canary\r\n", body: "canary")
    let server = try ScriptedServer([answer, answer, .reset])
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "test", factory: { _ in handler })
    logger.logLevel = .trace
    let url = try #require(URL(string: server.url))
    let origin = try #require(Origin(url))
    let observed = ObservedSession(
      authorizer: try BearerAuthorizer(token: "canary", origins: [origin]), logger: logger)
    try await observed.get(server, "/x?token=canary")
    let form = try Request(
      method: .post, url: url, fields: [.cookie: "canary"], body: Array("token=canary".utf8))
    _ = try await observed.session.send(form)
    _ = try? await observed.session.send(form)
    #expect(server.requests.allSatisfy { $0.contains("Bearer canary") })
    #expect(handler.entries.count == 3)
    #expect(
      handler.entries.allSatisfy { $0.level == .trace && $0.metadata["session"] == "observed" })
    for text in handler.entries.map({ "\($0)" }) + observed.exchanges.map({ "\($0)" }) {
      #expect(!text.contains("canary"))
    }
  }

  @Test("a request that times out is reported once, as a failure")
  func timeout() async throws {
    let server = try ScriptedServer([.replyAndHang("")])
    let observed = ObservedSession { $0.timeout.request = .milliseconds(100) }
    await #expect(throws: SessionError.self) { try await observed.get(server) }
    try await eventually("it is reported") { !observed.exchanges.isEmpty }
    #expect(observed.exchanges.map(\.status) == [nil])
    let reported = observed.exchanges.first?.description ?? ""
    #expect(reported.contains("did not respond in time"), "\(reported)")
    await observed.session.shutdown()
    #expect(observed.exchanges.count == 1)
  }
}
