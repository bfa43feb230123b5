import Foundation
import Networking
import SecureStore
import TestSupport

@testable import Authentication

/// An account whose access token has expired, at a token endpoint that answers with any bytes.
final class WireFixture: Sendable {
  let server: FaultServer
  let store = TestStore(backing: InMemorySecretStore())
  let folder: TemporaryDirectory
  let session: Session
  let account: Account
  let authenticator: Authenticator
  let clock = ManualClock()

  /// - Parameters:
  ///   - responses: the server's steps after each request.
  ///   - tokenURL: the token endpoint, if it is not the server.
  init(
    _ responses: [[FaultScript.Step]], tls: FaultServer.TLS? = nil,
    trusting authority: String? = nil,
    tokenURL: String? = nil, account adjust: (inout Account) -> Void = { _ in },
    session adjustSession: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws {
    server = try await FaultServer(FaultScript(responses: responses), tls: tls)
    folder = try TemporaryDirectory()
    var configuration = SessionConfiguration()
    configuration.redirects = .none
    configuration.proxy = .none
    configuration.timeout = .patient
    configuration.retry.attempts = 1
    configuration.extraCACertificates = authority.map { [$0] } ?? []
    adjustSession(&configuration)
    session = Session(name: "auth", configuration: configuration)
    guard let url = URL(string: (tokenURL ?? server.url) + "/token"),
      var account = Account(
        name: "default",
        server: .endpoints(
          AuthorizationServer(
            authorizationEndpoint: url, tokenEndpoint: url, deviceAuthorizationEndpoint: url)),
        client: OAuthClient(id: "client"))
    else { throw CocoaError(.featureUnsupported) }
    adjust(&account)
    self.account = account
    authenticator = try Authenticator(
      accounts: [account], store: store, session: session, lockFolder: folder.path,
      logger: .silent, time: clock.source)
    let now = clock.wall
    let credential = Credential(
      TokenSet(
        accessToken: Secret("a0"), refreshToken: Secret("r0"),
        expiresAt: now.addingTimeInterval(-60), scopes: ["s"]),
      after: nil, grant: .authorizationCode, now: now.addingTimeInterval(-3_600))
    try await credentials.save(CredentialRecord(.active(credential), of: account), for: "default")
    CleanUp.atEnd { await self.stop() }
  }

  private var credentials: CredentialStore { CredentialStore(store: store.backing) }

  /// Makes the authenticator of the next process.
  func next(_ store: TestStore? = nil) throws -> Authenticator {
    try Authenticator(
      accounts: [account], store: store ?? TestStore(backing: self.store.backing), session: session,
      lockFolder: folder.path, logger: .silent, time: clock.source)
  }

  /// Begins to ask for credentials.
  func asking() -> Task<Credential, any Error> {
    Task { try await authenticator.credential(for: "default") }
  }

  func record() async throws -> CredentialRecord? { try await credentials.record(of: "default") }

  /// Returns the stored credential; `nil` if the login has ended.
  func stored() async throws -> Credential? {
    guard case .active(let credential)? = try await record()?.content else { return nil }
    return credential
  }

  /// Asks for credentials and returns the error; `nil` if there is none.
  func failure(_ authenticator: Authenticator? = nil) async -> (any Error)? {
    await error { try await (authenticator ?? self.authenticator).credential(for: "default") }
  }

  /// The refresh tokens that the server received, in order.
  var sentTokens: [String] {
    server.requests.compactMap {
      $0.firstMatch(of: #/refresh_token=([^&\s]+)/#).map { String($0.output.1) }
    }
  }

  func stop() async {
    await session.shutdown()
    await server.stop()
  }
}

extension FaultScript.Step {
  /// A token response.
  static func tokens(_ json: String, fields: [String] = []) -> Self {
    .response(fields: ["Content-Type: application/json"] + fields, body: json)
  }
}
