import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Connections to the token endpoint that never carry a request.
///
/// The accounts' servers forbid replays, so a login that still works proves that its token counts
/// as unspent.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct EndpointConnectionTests {
  private static let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#

  /// Returns the error below an outage; `nil` for any other failure.
  private func cause(_ error: (any Error)?) -> (any Error)? {
    if case AuthenticationError.temporarilyUnavailable(_, _, let cause)? = error {
      cause
    } else {
      nil
    }
  }

  /// Asks for credentials twice, and expects that the login is unchanged and can be renewed.
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

  /// Renews through a session that reaches the server, as the next process has it.
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
  }

  // Edge case 31
  @Test("a name that does not resolve keeps the login")
  func names() async throws {
    // A label of more than 63 characters is invalid, so no name server is asked for it.
    let name = String(repeating: "a", count: 64) + ".invalid"
    let fixture = try await WireFixture([[.hang]], tokenURL: "https://" + name) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .connectionFailed = $0 { true } else { false } }
  }

  // Edge case 31
  @Test("a port without a listener keeps the login")
  func refusedConnection() async throws {
    let closed = try ClosedPort()
    let fixture = try await WireFixture([[.hang]], tokenURL: closed.url) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .connectionFailed = $0 { true } else { false } }
  }

  // Edge case 31
  @Test(
    "a hanging connection or handshake keeps the login",
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
  }

  // Edge case 31
  @Test(
    "a server without a trusted certificate sees no token, and the login stays",
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
  }

  // Edge case 31
  @Test("a captive portal without TLS sees no token, and the login stays")
  func cleartext() async throws {
    let server = try await FaultServer(.cleartextOnTLSPort)
    let fixture = try await WireFixture([[.hang]], tokenURL: server.url) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .untrustedServer = $0 { true } else { false } }
    #expect(server.requests.isEmpty)
  }

  // Edge case 31
  @Test("a login works again once its server's authority is trusted")
  func trustedLater() async throws {
    let certificates = try TestCertificates()
    let fixture = try await WireFixture(
      [[.tokens(Self.tokens)]], tls: .init(try certificates.leaf())
    ) {
      $0.replay = .forbidden
    }
    try await checkUnspent(fixture) { if case .untrustedServer = $0 { true } else { false } }
    try await checkRecovery(fixture) { $0.extraCACertificates = [certificates.authorityFile] }
  }

  // Edge cases 31 and 58
  @Test("a proxy that requires credentials keeps the login, which works once they are given")
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
  }
}
