import Foundation
import HTTPTypes
import Networking
import SecureStore
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

/// A sign-in that ends on an https page, at servers that accept no other redirect URI.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct PageRedirectTests {
  /// A user who signs in at a vendor in the browser and pastes the address of the last page.
  private final class User: AuthenticationDelegate {
    let answer: @Sendable (_ page: URL) -> [String]
    private let page = Mutex<URL?>(nil)
    let redirect = Mutex<SignInRedirect?>(nil)
    let results = Mutex<[PastedRedirect]>([])

    init(_ answer: @escaping @Sendable (_ page: URL) -> [String]) { self.answer = answer }

    func showAuthorizationPage(_ url: URL) async throws {
      page.withLock { $0 = url }
      redirect.withLock { $0 = SignInRedirect(authorizationPage: url) }
    }

    func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async {
      guard let page = page.withLock({ $0 }) else { return }
      for address in answer(page) {
        let result = accept(address)
        results.withLock { $0.append(result) }
      }
    }
  }

  private static let page = "https://books.example/signed-in"

  private static func parameters(_ page: URL) -> [String: String] {
    let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  private func authenticator(
    _ server: VendorTokenServer, _ session: Session, _ folder: TemporaryDirectory,
    json: Bool = true
  ) throws -> Authenticator {
    let url = try #require(URL(string: "http://127.0.0.1/oauth2/token"))
    var account = try #require(
      Account(
        name: "default",
        server: .endpoints(AuthorizationServer(authorizationEndpoint: url, tokenEndpoint: url)),
        client: OAuthClient(id: "app", redirect: .page(Self.page)), scopes: ["INVOICES_READ"]))
    account.sendsJSONTokenRequests = json
    return try Authenticator(
      accounts: [account], store: TestStore(backing: InMemorySecretStore()), session: session,
      lockFolder: folder.path, logger: .silent, time: server.clock.source)
  }

  /// Runs a sign-in at a server, as its user.
  private func signIn(
    _ server: VendorTokenServer, json: Bool = true, _ user: User,
    _ check: (Result<AccountStatus, any Error>, Authenticator) async throws -> Void
  ) async throws {
    let folder = try TemporaryDirectory()
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    let session = Session(
      name: "auth", configuration: configuration, middleware: [server], logger: .silent)
    let authenticator = try authenticator(server, session, folder, json: json)
    let result: Result<AccountStatus, any Error>
    do {
      result = .success(
        try await authenticator.signIn("default", with: .authorizationCode(delegate: user)))
    } catch { result = .failure(error) }
    try await check(result, authenticator)
  }

  @Test("the pasted address of the vendor's last page signs in, wherever the page led on to")
  func paste() async throws {
    let server = VendorTokenServer()
    let user = User { page in
      let state = Self.parameters(page)["state"] ?? ""
      server.authorize(Self.parameters(page))
      return [
        "https://books.example/signed-in", "https://books.example/signed-in?code=c&state=other",
        "https://elsewhere.example/app/playground?code=code-1&response_type=code&state=\(state)#x",
      ]
    }
    try await signIn(server, user) { result, authenticator in
      #expect(try result.get().state == .valid)
      #expect(user.results.withLock { $0 } == [.notRedirect, .foreign, .accepted])
      let ending = try #require(URL(string: Self.page))
      #expect(user.redirect.withLock { $0 } == .page(ending))
      let credential = try await authenticator.credential(for: "default")
      #expect(credential.redirect?.uri == Self.page)
      let body = try #require(server.bodies.first)
      #expect(body["redirect_uri"] == Self.page && body["client_secret"] == nil)
      #expect(body["client_id"] == "app" && body["grant_type"] == "authorization_code")
    }
  }

  @Test("a single-use refresh token is spent once, and the next renewal sends the new one")
  func singleUse() async throws {
    let server = VendorTokenServer()
    let user = User { page in
      server.authorize(Self.parameters(page))
      return ["\(Self.page)?code=code-1&state=\(Self.parameters(page)["state"] ?? "")"]
    }
    try await signIn(server, user) { result, authenticator in
      _ = try result.get()
      for _ in 1...2 {
        server.clock.advance(by: .seconds(31 * 86_400))
        _ = try await authenticator.credential(for: "default")
      }
      #expect(server.bodies.compactMap { $0["refresh_token"] } == ["refresh-1", "refresh-2"])
      #expect(server.refusals.isEmpty, "\(server.refusals)")
    }
  }

  @Test("a server that takes JSON refuses a form, and the sign-in says so")
  func form() async throws {
    let server = VendorTokenServer()
    let user = User { page in
      server.authorize(Self.parameters(page))
      return ["\(Self.page)?code=code-1&state=\(Self.parameters(page)["state"] ?? "")"]
    }
    try await signIn(server, json: false, user) { result, _ in
      if case .success = result { Issue.record("the sign-in succeeded") }
      #expect(server.refusals == ["the body is no JSON"])
    }
  }

  @Test("a front end that reads no pasted address ends the sign-in instead of waiting")
  func nothingPasted() async throws {
    let user = User { _ -> [String] in [] }
    try await signIn(VendorTokenServer(), user) { result, _ in
      #expect(signInFailure(await error { try result.get() }) == .nothingPasted)
    }
  }

  @Test("a redirect URI on this machine and one elsewhere are told apart in the page's address")
  func kinds() throws {
    func redirect(_ uri: String) throws -> SignInRedirect? {
      SignInRedirect(
        authorizationPage: try #require(URL(string: "https://a.example/?redirect_uri=\(uri)")))
    }
    #expect(try redirect("http%3A%2F%2F127.0.0.1%3A14285%2Fcallback") == .loopback(port: 14_285))
    #expect(try redirect("http%3A%2F%2Flocalhost%3A14285%2Fcallback") == .loopback(port: 14_285))
    let page = try #require(URL(string: "https://a.example/x"))
    #expect(try redirect("https%3A%2F%2Fa.example%2Fx") == .page(page))
  }

  @Test("a listener with the name localhost is reached over IPv4")
  func localhost() async throws {
    let listener = try await LoopbackListener.start(
      host: .localhost, port: 0, state: Secret("s"))
    #expect(
      listener.redirectURI.wholeMatch(of: #/http://localhost:\d+/callback/#) != nil,
      "\(listener.redirectURI)")
    let session = Session(name: "browser", configuration: .patient)
    let address = listener.redirectURI.replacing("localhost", with: "127.0.0.1")
    let url = try #require(URL(string: address + "?code=c&state=s"))
    let answer = try await session.send(try Request(url: url))
    #expect(answer.head.status.code == 200)
    _ = try await listener.receiver.outcome.value()
    await session.shutdown()
    await listener.stop()
  }
}

/// A token endpoint with Square's rules: JSON, PKCE without a secret, and single-use refresh
/// tokens.
final class VendorTokenServer: Middleware {
  private struct State {
    var challenge: String?
    var redirectURI: String?
    var valid = Set<String>()
    var issued = 0
    var bodies: [[String: String]] = []
    var refusals: [String] = []
  }

  private let state = Mutex(State())
  let clock = ManualClock()

  /// The token requests that could be read.
  var bodies: [[String: String]] { state.withLock { $0.bodies } }
  var refusals: [String] { state.withLock { $0.refusals } }

  /// Notes the parameters with which the user opened the authorization page.
  func authorize(_ parameters: [String: String]) {
    state.withLock {
      $0.challenge = parameters["code_challenge"]
      $0.redirectURI = parameters["redirect_uri"]
    }
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let body = request.body?.bytes ?? []
    let form = try? JSONDecoder().decode([String: String].self, from: Data(body))
    let (status, text) = state.withLock { state in answer(to: form, &state) }
    return StreamingResponse(
      head: HTTPResponse(status: .init(code: status)), body: ResponseBody(Array(text.utf8)),
      url: request.url)
  }

  private func answer(to form: [String: String]?, _ state: inout State) -> (Int, String) {
    func refuse(_ reason: String) -> (Int, String) {
      state.refusals.append(reason)
      return (
        401,
        #"{"errors":[{"category":"AUTHENTICATION_ERROR","code":"UNAUTHORIZED","detail":""#
          + reason + #""}]}"#
      )
    }
    guard let form else { return refuse("the body is no JSON") }
    state.bodies.append(form)
    switch form["grant_type"] {
    case "authorization_code":
      guard let verifier = form["code_verifier"],
        ProofKey(verifier: verifier).challenge == state.challenge
      else { return refuse("the code_verifier is missing or wrong") }
      guard form["redirect_uri"] == state.redirectURI, form["code"] == "code-1" else {
        return refuse("the code is for another redirect_uri")
      }
    default:
      guard let token = form["refresh_token"], state.valid.remove(token) != nil else {
        return refuse("the refresh token was used")
      }
    }
    state.issued += 1
    state.valid.insert("refresh-\(state.issued)")
    let expiry = clock.wall.addingTimeInterval(2_592_000).formatted(.iso8601)
    return (
      200,
      """
      {"access_token":"token-\(state.issued)","token_type":"bearer","expires_at":"\(expiry)",
       "merchant_id":"M1","refresh_token":"refresh-\(state.issued)","short_lived":false}
      """
    )
  }
}
