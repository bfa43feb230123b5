import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// The proxy that the other tests lean on.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ProxyServerTests {
  private func outcome(
    at server: FaultServer, by proxy: ProxyServer, credentials: UserCredentials? = nil,
    _ adjust: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws -> String {
    let found = try await NetworkingTests.outcome(at: server, path: "/x?y") {
      $0.proxy = .server(Proxy(host: proxy.host, port: proxy.port, credentials: credentials))
      adjust(&$0)
    }
    try await proxy.openConnections(become: 0)
    return found
  }

  @Test("a session reaches http and https servers through a proxy")
  func tunnels() async throws {
    let certificates = try TestCertificates()
    let proxy = try await ProxyServer()
    let plain = try await FaultServer(FaultScript())
    let secure = try await FaultServer(FaultScript(), tls: .init(try certificates.leaf()))
    #expect(try await outcome(at: plain, by: proxy) == "200")
    let found = try await outcome(at: secure, by: proxy) {
      $0.extraCACertificates = [certificates.authorityFile]
    }
    #expect(found == "200" && secure.completedHandshakes == 1)
    #expect(proxy.asked.map(\.authority) == [plain, secure].map { "127.0.0.1:\($0.port)" })
    #expect(proxy.asked.last?.isTunnel == true)
    #expect(proxy.asked.allSatisfy { $0.credentials == nil })
    #expect(plain.requests.first?.hasPrefix("GET /x?y HTTP/1.1\r\n") == true)
  }

  // Another program: it requests whole URLs, which AsyncHTTPClient never does.
  @Test("a proxy forwards whole URLs as paths", .enabled(if: ChildProcess.find("python3") != nil))
  func forwarding() async throws {
    let proxy = try await ProxyServer(.init(credentials: "me:canary"))
    let server = try await FaultServer(["/x": [.response(body: "forwarded")]])
    let python = try #require(ChildProcess.find("python3"))
    let ending = try await ChildProcess(
      python,
      [
        "-c", "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())",
        server.url + "/x?y",
      ], environment: ["http_proxy": "http://me:canary@127.0.0.1:\(proxy.port)"]
    ).ending()
    #expect(ending.output == "forwarded\n", "\(ending.errors)")
    #expect(proxy.asked.first?.isTunnel == false)
    let seen = try #require(server.requests.first)
    #expect(seen.hasPrefix("GET /x?y HTTP/1.1\r\n"))
    #expect(!seen.lowercased().contains("proxy-"))
    try await proxy.openConnections(become: 0)
  }

  @Test("a proxy requires credentials, and lets only the right ones through")
  func credentials() async throws {
    let proxy = try await ProxyServer(.init(credentials: "me:canary"))
    let server = try await FaultServer(FaultScript())
    let wrong = try UserCredentials(user: "me", password: "wrong")
    for credentials in [nil, wrong] {
      let found = try await outcome(at: server, by: proxy, credentials: credentials)
      #expect(found == "proxyAuthenticationRequired")
    }
    #expect(server.requests.isEmpty)
    let right = try UserCredentials(user: "me", password: "canary")
    #expect(try await outcome(at: server, by: proxy, credentials: right) == "200")
    #expect(proxy.asked.map(\.credentials) == [nil, "me:wrong", "me:canary"])
    let seen = try #require(server.requests.first)
    #expect(!seen.lowercased().contains("proxy-"))
  }

  @Test("a CONNECT that gets no answer ends at the bound on making a connection")
  func hanging() async throws {
    let certificates = try TestCertificates()
    let proxy = try await ProxyServer(.init(hangsOnConnect: true))
    let server = try await FaultServer(FaultScript(), tls: .init(try certificates.leaf()))
    let found = try await outcome(at: server, by: proxy) {
      $0.timeout.connect = .milliseconds(300)
    }
    #expect(found == "timedOut(connect)" && server.acceptedConnections == 0)
  }

  @Test("a proxy leads to this machine only")
  func elsewhere() async throws {
    let proxy = try await ProxyServer()
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    configuration.proxy = .server(Proxy(host: proxy.host, port: proxy.port))
    let session = Session(name: "faults", configuration: configuration)
    let url = try #require(URL(string: "http://elsewhere.example/"))
    #expect(await NetworkingTests.outcome { try await session.send(Request(url: url)) } != "200")
    #expect(proxy.asked.map(\.authority) == ["elsewhere.example:80"])
  }
}
