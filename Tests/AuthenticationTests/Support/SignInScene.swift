import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Networking
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import Authentication

/// A sign-in that waits for the browser, whose requests the test sends one by one.
final class SignInScene: Sendable {
  /// A delegate that records the page's address.
  private final class Page: AuthenticationDelegate {
    let url = Mutex<URL?>(nil)

    func showAuthorizationPage(_ url: URL) async throws { self.url.withLock { $0 = url } }
  }

  let server: FaultServer
  let store = TestStore(backing: InMemorySecretStore())
  let authenticator: Authenticator
  /// The log of session and authenticator, at the level `trace`.
  let log = InMemoryLogHandler()
  let session: Session

  private let folder: TemporaryDirectory
  private let browser: Session
  private let observed: Observed

  private final class Observed: Sendable {
    let exchanges = Mutex<[HTTPExchange]>([])
  }

  /// - Parameters:
  ///   - responses: the token endpoint's steps after each request.
  ///   - issuer: the authorization server's identifier.
  ///   - announcesIssuer: true if the server announces `iss` in its answers.
  init(
    _ responses: [[FaultScript.Step]], issuer: String? = nil, announcesIssuer: Bool = false,
    scopes: [String] = ["s"]
  ) async throws {
    server = try await FaultServer(FaultScript(responses: responses))
    folder = try TemporaryDirectory()
    guard let url = URL(string: server.url + "/x"),
      let account = Account(
        name: "default",
        server: .endpoints(
          AuthorizationServer(
            issuer: issuer, authorizationEndpoint: url, tokenEndpoint: url,
            announcesIssuer: announcesIssuer)),
        client: OAuthClient(id: "client"), scopes: scopes)
    else { throw CocoaError(.featureUnsupported) }
    var configuration = SessionConfiguration()
    configuration.redirects = .none
    configuration.proxy = .none
    configuration.retry.attempts = 1
    // The token endpoint may hold its answer back as long as the test runs.
    configuration.timeout.idle = .seconds(3_600)
    configuration.timeout.request = .seconds(3_600)
    let log = log
    var logger = Logger(label: "test", factory: { _ in log })
    logger.logLevel = .trace
    let observed = Observed()
    self.observed = observed
    session = Session(
      name: "auth", configuration: configuration,
      observer: { exchange in observed.exchanges.withLock { $0.append(exchange) } }, logger: logger)
    configuration.concurrency = 64
    browser = Session(name: "browser", configuration: configuration, logger: .silent)
    authenticator = try Authenticator(
      accounts: [account], store: store, session: session, lockFolder: folder.path, logger: logger)
    CleanUp.atEnd { await self.stop() }
  }

  /// The requests that the session's observer saw.
  var exchanges: [HTTPExchange] { observed.exchanges.withLock { $0 } }

  /// A sign-in under way.
  struct SignIn: Sendable {
    let task: Task<AccountStatus, any Error>
    /// The address of the page, read as a form.
    let fields: [String: String]
    let callback: String

    var state: String { fields["state"] ?? "" }

    /// Returns the error that ended it; `nil` if it succeeded.
    func failure() async -> (any Error)? { await error { try await task.joined } }
  }

  /// Begins a sign-in, and returns when the page is shown.
  func begin() async throws -> SignIn {
    let page = Page()
    let authenticator = authenticator
    let task = Task {
      try await authenticator.signIn(
        "default", with: .authorizationCode(delegate: page, timeout: .seconds(600)))
    }
    try await eventually("the page is shown") { page.url.withLock { $0 } != nil }
    let query = page.url.withLock { $0 }?.query(percentEncoded: true) ?? ""
    let fields = Dictionary(
      (FormEncoding.decode(query[...]) ?? []).map { ($0.name, $0.value) },
      uniquingKeysWith: { $1 })
    return SignIn(task: task, fields: fields, callback: fields["redirect_uri"] ?? "")
  }

  /// Sends a request to the listener, and returns its response; `nil` once the port is closed.
  func browse(_ url: String, _ method: HTTPRequest.Method = .get) async throws -> Response? {
    guard let url = URL(string: url) else { throw CocoaError(.coderInvalidValue) }
    return try? await browser.send(try Request(method: method, url: url))
  }

  /// Returns the value of a field in each request to the token endpoint.
  func sent(_ field: String) -> [String] {
    server.requests.compactMap { request in
      guard let body = request.components(separatedBy: "\r\n\r\n").last else { return nil }
      return FormEncoding.decode(body[...])?.first { $0.name == field }?.value
    }
  }

  func stop() async {
    await browser.shutdown()
    await session.shutdown()
    await server.stop()
  }
}
