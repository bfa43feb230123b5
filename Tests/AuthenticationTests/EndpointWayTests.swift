import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Ways to the token endpoint on which no request ever reaches it.
///
/// The accounts are of servers that must never see a token twice: a login that goes on shows that
/// nothing is believed to be spent.
@Suite(.timeLimit(.minutes(10))) struct EndpointWayTests {
  private static let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#

  /// The error below an outage; `nil` where the failure is none.
  private func cause(_ error: (any Error)?) -> (any Error)? {
    if case AuthenticationError.temporarilyUnavailable(_, _, let cause)? = error {
      cause
    } else {
      nil
    }
  }

  /// Asks twice, and expects the login untouched and ready to be renewed.
  private func checkUnspent(
    _ fixture: WireFixture, _ isExpected: (SessionError) -> Bool
  ) async throws {
    let before = try #require(try await fixture.stored())
    for authenticator in [fixture.authenticator, try fixture.next()] {
      let failure = await fixture.failure(authenticator)
      let cause = try #require(cause(failure) as? SessionError, "\(String(describing: failure))")
      #expect(isExpected(cause), "\(cause)")
      let stored = try #require(try await fixture.stored())
      #expect(stored.refreshToken == before.refreshToken)
      #expect(stored.generation == before.generation)
      #expect(try await fixture.record()?.pendingExchange == nil)
      #expect(try await authenticator.status(of: "default").state == .expired)
    }
    #expect(fixture.server.requests.isEmpty)
  }

  /// Renews by a session that finds the way, as the next process has it.
  private func checkRecovery(
    _ fixture: WireFixture, _ adjust: (inout SessionConfiguration) -> Void
  ) async throws {
    var configuration = fixture.session.configuration
    adjust(&configuration)
    let session = Session(name: "auth", configuration: configuration)
    let authenticator = try Authenticator(
      accounts: [fixture.account], store: TestStore(backing: fixture.store.backing),
      session: session, lockFolder: fixture.folder.path, logger: .silent,
      time: fixture.clock.source)
    let renewed = try await authenticator.credential(for: "default")
    #expect(renewed.accessToken == Secret("a1"))
    #expect(fixture.sentTokens == ["r0"])
    await session.shutdown()
  }

  // Edge case 31
  @Test("a name that does not resolve keeps the login")
  func names() async throws {
    // A label of more than 63 characters is no name: no name server is asked for it.
    let name = String(repeating: "a", count: 64) + ".invalid"
    let fixture = try await WireFixture([[.hang]], tokenURL: "https://" + name) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .connectionFailed = $0 { true } else { false } }
    await fixture.stop()
  }

  // Edge case 31
  @Test("a port where nobody listens keeps the login")
  func refusedConnection() async throws {
    let closed = try ClosedPort()
    let fixture = try await WireFixture([[.hang]], tokenURL: closed.url) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .connectionFailed = $0 { true } else { false } }
    await fixture.stop()
  }

  // Edge case 31
  @Test(
    "a connection or a handshake that hangs keeps the login",
    arguments: [WireFault.connectHangs, .handshakeHangs])
  func hanging(fault: WireFault) async throws {
    let server = try await FaultServer(fault)
    let fixture = try await WireFixture([[.hang]], tokenURL: server.url) {
      $0.replay = .forbidden
    } session: {
      $0.timeout.connect = .milliseconds(300)
    }
    try await checkUnspent(fixture) {
      if case .timedOut(.connect, _) = $0 { true } else { false }
    }
    await server.stop()
    await fixture.stop()
  }

  // Edge case 31
  @Test(
    "a server that cannot prove who it is sees no token, and the login stays",
    arguments: TestCertificates.Kind.allCases.filter { $0 != .valid })
  func certificates(kind: TestCertificates.Kind) async throws {
    let certificates = try TestCertificates()
    let fixture = try await WireFixture(
      [[.tokens(Self.tokens)]], tls: .init(try certificates.leaf(kind)),
      trusting: certificates.authorityFile
    ) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .untrustedServer = $0 { true } else { false } }
    await fixture.stop()
  }

  // Edge case 31
  @Test("a captive portal without TLS on the port of https sees no token, and the login stays")
  func cleartext() async throws {
    let server = try await FaultServer(.cleartextOnTLSPort)
    let fixture = try await WireFixture([[.hang]], tokenURL: server.url) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .untrustedServer = $0 { true } else { false } }
    #expect(server.requests.isEmpty)
    await server.stop()
    await fixture.stop()
  }

  // Edge case 31
  @Test("an authority that is trusted later is enough: the token was never spent")
  func trustedLater() async throws {
    let certificates = try TestCertificates()
    let fixture = try await WireFixture(
      [[.tokens(Self.tokens)]], tls: .init(try certificates.leaf())
    ) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .untrustedServer = $0 { true } else { false } }
    try await checkRecovery(fixture) { $0.extraCACertificates = [certificates.authorityFile] }
    await fixture.stop()
  }

  // Edge cases 31 and 58
  @Test("a proxy that asks for credentials keeps the login, which goes on once it has them")
  func proxyAuthentication() async throws {
    let certificates = try TestCertificates()
    let proxy = try await ProxyServer(.init(credentials: "me:pw"))
    let fixture = try await WireFixture(
      [[.tokens(Self.tokens)]], tls: .init(try certificates.leaf()),
      trusting: certificates.authorityFile
    ) {
      $0.replay = .forbidden
    } session: {
      $0.proxy = .server(Proxy(host: proxy.host, port: proxy.port))
    }
    try await checkUnspent(fixture) {
      if case .proxyAuthenticationRequired = $0 { true } else { false }
    }
    #expect(proxy.asked.count == 2 && proxy.asked.allSatisfy { $0.isTunnel })
    let credentials = try UserCredentials(user: "me", password: "pw")
    try await checkRecovery(fixture) {
      $0.proxy = .server(Proxy(host: proxy.host, port: proxy.port, credentials: credentials))
    }
    await fixture.stop()
    await proxy.stop()
  }
}
