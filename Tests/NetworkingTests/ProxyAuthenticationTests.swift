import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Networking
import TestSupport
import Testing

// Edge case 58
/// A proxy that wants to know who asks, on the way to servers that speak TLS.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ProxyAuthenticationTests {
  private static let refusal = "407 Proxy Authentication Required"

  private let certificates: TestCertificates

  init() throws {
    certificates = try TestCertificates()
  }

  private func server() async throws -> FaultServer {
    try await FaultServer(FaultScript(), tls: .init(try certificates.leaf()))
  }

  /// Sends a request with a body through a proxy whose address has a user's form.
  private func outcome(at server: FaultServer, by proxy: String) async throws -> String {
    var configuration = SessionConfiguration()
    configuration.extraCACertificates = [certificates.authorityFile]
    configuration.proxy = .server(try Proxy(parsing: proxy))
    configuration.retry.attempts = 4
    configuration.retry.baseDelay = .zero
    let session = Session(name: "proxied", configuration: configuration, logger: .silent)
    var request = try Request(
      method: .put, url: try #require(URL(string: server.url + "/x?token=canary")),
      body: Array("canary-body".utf8))
    try request.setField("Authorization", to: "Bearer canary")
    let found = await NetworkingTests.outcome { try await session.send(request) }
    await session.shutdown()
    return found
  }

  @Test(
    "a tunnel is opened with the user and the password of the proxy's address, and only with them",
    arguments: [
      ("", nil, false), ("me:wrong@", "me:wrong", false), ("me@", "me:", false),
      ("you:p%3Aw%2F%40%25@", "you:p:w/@%", false),
      ("m%40e:p%3Aw%2F%40%25@", "m@e:p:w/@%", true),
    ] as [(String, String?, Bool)])
  func addresses(user: String, shown: String?, isRight: Bool) async throws {
    let proxy = try await ProxyServer(.init(credentials: "m@e:p:w/@%"))
    let server = try await server()
    let found = try await outcome(at: server, by: "http://\(user)127.0.0.1:\(proxy.port)")
    #expect(found == (isRight ? "200" : "proxyAuthenticationRequired"))
    // It is asked once: the same credentials again would lock an account out.
    #expect(proxy.asked.map(\.credentials) == [shown])
    #expect(proxy.asked.map(\.authority) == ["127.0.0.1:\(server.port)"])
    #expect(proxy.asked.allSatisfy { $0.isTunnel })
    #expect(server.requests.count == (isRight ? 1 : 0))
    #expect(server.acceptedConnections == (isRight ? 1 : 0))
    #expect(server.requests.allSatisfy { !$0.lowercased().contains("proxy-authorization") })
    try await proxy.openConnections(become: 0)
  }

  @Test(
    "a refusal ends the request in one way, whatever else the proxy says with it",
    arguments: [
      ["Proxy-Authenticate: Basic realm=\"a\""], ["Proxy-Authenticate: Negotiate"],
      ["Proxy-Authenticate: NTLM", "Proxy-Authenticate: Digest realm=\"a\", nonce=\"b\""], [],
      ["Connection: close"], ["Proxy-Connection: close", "Retry-After: 1"],
      ["Set-Cookie: a=b", "Location: http://127.0.0.1:9/"],
    ])
  func refusals(fields: [String]) async throws {
    let server = try await server()
    for body in ["", "<html>Who are you?</html>"] {
      let proxy = try await FaultServer(
        FaultScript(otherwise: [.response(Self.refusal, fields: fields, body: body)]))
      let found = try await outcome(at: server, by: "http://me:pw@127.0.0.1:\(proxy.port)")
      #expect(found == "proxyAuthenticationRequired")
      #expect(proxy.requests.count == 1)
      // Nothing of the request itself was shown to it.
      let asked = try #require(proxy.requests.first)
      #expect(asked.hasPrefix("CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\n"))
      #expect(!asked.contains("canary") && !asked.contains("/x"))
      try await proxy.openConnections(become: 0)
    }
    #expect(server.acceptedConnections == 0)
  }

  @Test("a 407 of a server is an answer like any other")
  func statusOfServer() async throws {
    let server = try await FaultServer(FaultScript(otherwise: [.response(Self.refusal)]))
    #expect(try await NetworkingTests.outcome(at: server) { $0.proxy = .none } == "407")
  }

  // Edge cases 43 and 58
  @Test("the proxy's password is in no error, log, dump or trace")
  func redaction() async throws {
    let proxy = try await ProxyServer(.init(credentials: "me:other"))
    let server = try await server()
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "test", factory: { _ in handler })
    logger.logLevel = .trace
    let observed = ObservedSession(attempts: 2, logger: logger) {
      $0.extraCACertificates = [certificates.authorityFile]
      $0.proxy =
        (try? Proxy(parsing: "me:canary@127.0.0.1:\(proxy.port)")).map { .server($0) } ?? .none
    }
    var texts: [String] = []
    func tell(_ value: Any) {
      var dumped = ""
      dump(value, to: &dumped)
      texts += [dumped, "\(value)", String(reflecting: value)]
    }
    do {
      _ = try await observed.session.send(Request(url: try #require(URL(string: server.url))))
      Issue.record("it was let through")
    } catch { tell(error) }
    #expect(proxy.asked.map(\.credentials) == ["me:canary"])
    #expect(!handler.entries.isEmpty && !observed.exchanges.isEmpty)
    for entry in handler.entries { tell(entry) }
    for exchange in observed.exchanges { tell(exchange) }
    tell(observed.session.configuration)
    for text in texts { #expect(!text.contains("canary"), "\(text)") }
    let encoded = Data("me:canary".utf8).base64EncodedString()
    for text in texts { #expect(!text.contains(encoded)) }
  }
}
