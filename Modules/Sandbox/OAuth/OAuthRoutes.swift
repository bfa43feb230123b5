import HTTPTypes
import Hummingbird

/// The endpoints of the authorization server, at Xero's paths.
struct OAuthRoutes: Sendable {
  static let tokenPath = "/connect/token"
  static let deviceAuthorizationPath = "/connect/deviceauthorization"
  static let devicePath = "/connect/device"

  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/.well-known/oauth-authorization-server") { _, _ in
      Response(
        json: ServerMetadata.json(
          issuer: state.issuer, announcesIssuer: state.configuration.announcesIssuer))
    }
    router.get("/connect/authorize") { request, _ in authorize(request).uncached }
    router.post("/connect/authorize") { request, _ in await decide(request).uncached }
    router.post("/connect/token") { request, context in
      let response = await exchange(request).uncached
      // The exchange is committed, so a client that does not wait for the response has lost it.
      let latency = state.tokenLatency
      if latency > .zero { try await context.pause(for: latency, in: state.connections) }
      return response
    }
    router.post(RouterPath(Self.deviceAuthorizationPath)) { request, _ in
      await issueDeviceCode(request).uncached
    }
    router.get(RouterPath(Self.devicePath)) { request, _ in device(request).uncached }
    router.get(RouterPath(Self.devicePath + "/decided")) { request, _ in
      let isApproved = (try? request.queryParameters())?["approved"] == "true"
      return Response(html: ApprovalPage.decided(isApproved: isApproved)).uncached
    }
    router.post("/connect/revoke") { request, _ in await revoke(request).uncached }
  }

  private func authorize(_ request: Request) -> Response {
    guard let query = try? request.queryParameters() else {
      return Response(html: ApprovalPage.failure("The query is malformed."), status: .badRequest)
    }
    switch AuthorizationOutcome(query: query, clientID: state.oauth.publicClient.id) {
    case .untrusted(let reason):
      return Response(html: ApprovalPage.failure(reason), status: .badRequest)
    case .refused(let error, let redirectURI, let requestState):
      return refusal(error, redirectURI: redirectURI, requestState: requestState)
    case .valid(let valid) where state.configuration.autoApprove:
      return approval(of: valid)
    case .valid(let valid):
      return consent(clientID: valid.clientID, scope: valid.scope, .code(valid))
    }
  }

  private func consent(
    clientID: String, scope: Scope, _ decision: GrantServer.PendingDecision
  ) -> Response {
    let handle = state.oauth.keep(decision)
    var page = Response(
      html: ApprovalPage.consent(clientID: clientID, scope: scope, handle: handle))
    // If the page could be framed, another site could make the user click it (RFC 6749 10.13).
    page.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    return page
  }

  private func decide(_ request: Request) async -> Response {
    guard let form = try? await request.formParameters(),
      let pending = form[ApprovalPage.handleField].flatMap(state.oauth.take)
    else {
      let reason = "The request is unknown or was decided already."
      return Response(html: ApprovalPage.failure(reason), status: .badRequest)
    }
    let isApproved = form["decision"] == "approve"
    switch pending {
    case .code(let request) where isApproved: return approval(of: request)
    case .code(let request):
      return refusal(
        OAuthError(.accessDenied, "The user denied the request."),
        redirectURI: request.redirectURI, requestState: request.state)
    case .device(let userCode): return decide(userCode, isApproved: isApproved)
    }
  }

  private func issueDeviceCode(_ request: Request) async -> Response {
    await answer(request) { form, client throws(OAuthError) in
      let device = try state.oauth.issueDeviceCode(form, client: client)
      return Response(json: device.json(page: state.issuer + Self.devicePath))
    }
  }

  private func device(_ request: Request) -> Response {
    guard let userCode = (try? request.queryParameters())?["user_code"] else {
      return Response(html: ApprovalPage.deviceCode())
    }
    guard let device = state.oauth.device(userCode: userCode) else {
      return Response(
        html: ApprovalPage.failure("The code is unknown, or was decided already."),
        status: .badRequest)
    }
    if state.configuration.autoApprove { return decide(device.userCode, isApproved: true) }
    return consent(
      clientID: device.clientID, scope: device.scope, .device(userCode: device.userCode))
  }

  private func decide(_ userCode: String, isApproved: Bool) -> Response {
    guard state.oauth.decide(userCode: userCode, isApproved: isApproved) else {
      return Response(
        html: ApprovalPage.failure("The code is unknown, or was decided already."),
        status: .badRequest)
    }
    return Response(
      status: .found,
      headers: [.location: Self.devicePath + "/decided?approved=\(isApproved)"])
  }

  private func exchange(_ request: Request) async -> Response {
    await answer(request) { form, client throws(OAuthError) in
      Response(json: try state.oauth.token(form, client: client).json)
    }
  }

  private func revoke(_ request: Request) async -> Response {
    await answer(request) { form, client throws(OAuthError) in
      try state.oauth.revoke(form, client: client)
      return Response(status: .ok)
    }
  }

  private func answer(
    _ request: Request, _ work: (FormParameters, Client) throws(OAuthError) -> Response
  ) async -> Response {
    guard let form = try? await request.formParameters() else {
      return Self.failure(OAuthError(.invalidRequest, "The body is not a form."))
    }
    do {
      let client = try state.oauth.authenticator.client(
        authorization: request.headers[.authorization], form: form)
      return try work(form, client)
    } catch let failure as ClientAuthenticator.Failure {
      return Self.failure(failure.error, wantsChallenge: failure.wantsChallenge)
    } catch let error as OAuthError {
      return Self.failure(error)
    } catch {
      return Response(status: .internalServerError)
    }
  }

  private static func failure(_ error: OAuthError, wantsChallenge: Bool = false) -> Response {
    let isUnauthorized = error.code == .invalidClient
    var response = Response(
      json: error.json, status: isUnauthorized ? .unauthorized : .badRequest)
    if wantsChallenge { response.headers[.wwwAuthenticate] = "Basic realm=\"sandbox\"" }
    return response
  }

  private func approval(of request: AuthorizationRequest) -> Response {
    // For QuickBooks, the redirect names the company that the user chose.
    let realm = state.configuration.provider == .quickbooks ? state.tenants.first?.id : nil
    return redirect(
      request.redirectURI,
      [("code", state.oauth.approve(request)), ("state", request.state), ("realmId", realm)])
  }

  private func refusal(
    _ error: OAuthError, redirectURI: RedirectURI, requestState: String?
  ) -> Response {
    redirect(
      redirectURI,
      [
        ("error", error.code.rawValue), ("error_description", error.description),
        ("state", requestState),
      ])
  }

  /// Redirects the browser, with the issuer's name if it is announced (RFC 9207).
  private func redirect(
    _ uri: RedirectURI, _ parameters: [(name: String, value: String?)]
  ) -> Response {
    let issuer = state.configuration.announcesIssuer ? state.issuer : nil
    // 302 keeps the method of a GET; after the form's POST, browsers also continue with a GET.
    return Response(
      status: .found, headers: [.location: uri.appending(parameters + [("iss", issuer)])])
  }
}

/// The metadata document of the authorization server (RFC 8414 section 2).
private enum ServerMetadata {
  static func json(issuer: String, announcesIssuer: Bool) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("issuer", issuer)
      writer.member("authorization_endpoint", issuer + "/connect/authorize")
      writer.member("token_endpoint", issuer + "/connect/token")
      writer.member("device_authorization_endpoint", issuer + OAuthRoutes.deviceAuthorizationPath)
      writer.member("revocation_endpoint", issuer + "/connect/revoke")
      for (name, values) in lists {
        writer.array(name) { writer in
          for value in values { writer.string(value) }
        }
      }
      if announcesIssuer {
        writer.member("authorization_response_iss_parameter_supported", true)
      }
    }
  }

  private static let authenticationMethods = ["none", "client_secret_basic", "client_secret_post"]
  private static let lists: [(name: String, values: [String])] = [
    ("response_types_supported", ["code"]),
    ("response_modes_supported", ["query"]),
    ("grant_types_supported", GrantType.allCases.map(\.rawValue)),
    ("code_challenge_methods_supported", ["S256"]),
    ("token_endpoint_auth_methods_supported", authenticationMethods),
    ("revocation_endpoint_auth_methods_supported", authenticationMethods),
  ]
}

enum ApprovalPage {
  static let handleField = "request"

  static func consent(clientID: String, scope: Scope, handle: String) -> String {
    page(
      title: "Allow access?",
      body: """
        <p><strong>\(escaped(clientID))</strong> asks for access to Sandbox Company:</p>
        <ul>\(scope.tokens.map { "<li>\(escaped($0))</li>" }.joined())</ul>
        <form method="post" action="/connect/authorize">
        <input type="hidden" name="\(handleField)" value="\(handle)">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny">Deny</button>
        </form>
        """)
  }

  static func deviceCode() -> String {
    page(
      title: "Enter the code",
      body: """
        <form method="get" action="\(OAuthRoutes.devicePath)">
        <input name="user_code" autofocus> <button>Continue</button>
        </form>
        """)
  }

  static func decided(isApproved: Bool) -> String {
    page(
      title: isApproved ? "The device is approved" : "The device is refused",
      body: "<p>You can close this window.</p>")
  }

  static func failure(_ reason: String) -> String {
    page(title: "This request cannot be answered", body: "<p>\(escaped(reason))</p>")
  }

  private static func page(title: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
    <body><h1>\(title)</h1>
    \(body)
    </body></html>
    """
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
  }
}
