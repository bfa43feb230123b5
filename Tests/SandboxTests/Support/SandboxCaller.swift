import Foundation
import HTTPTypes
import Networking
import Sandbox
import Testing

/// A client of a sandbox, one request at a time: it repeats nothing and follows no redirect.
struct SandboxCaller: Sendable {
  static let verifier = "0123456789-abcdefghijklmnopqrstuvwxyz._~ABCDE"
  /// The challenge of `verifier`, computed with `openssl dgst -sha256 -binary | base64`.
  static let challenge = "nb-Bjxe_SYh-MLvx0UNllvAIE0Pf29a7XLmmCw7RQxU"
  static let redirectURI = "http://127.0.0.1:9/callback"

  let url: String
  let clientID: String
  let machineID: String
  let machineSecret: String
  let tenantID: String
  private let client = SandboxClient()

  init(_ server: SandboxServer) {
    url = server.url.absoluteString
    clientID = server.clientID
    machineID = server.machineClientID
    machineSecret = server.machineClientSecret
    tenantID = server.tenantIDs.first ?? ""
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> Response {
    try await client.send(.get, url + path, headers: headers)
  }

  /// Requests the address of a file, which is at another origin.
  func follow(_ link: String, headers: [String: String] = [:]) async throws -> Response {
    try await client.send(.get, link, headers: headers)
  }

  func post(
    _ path: String, form: [String: String], headers: [String: String] = [:]
  ) async throws -> Response {
    let body = form.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
    var headers = headers
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return try await client.send(.post, url + path, headers: headers, body: body)
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> Response {
    try await client.send(method, url + path, headers: headers, body: body)
  }

  /// The query of a correct authorization request; a `nil` value leaves a parameter out.
  func authorizePath(_ changes: [String: String?] = [:]) -> String {
    var parameters: [String: String] = [
      "response_type": "code", "client_id": clientID, "redirect_uri": Self.redirectURI,
      "state": "s t&=", "code_challenge": Self.challenge, "code_challenge_method": "S256",
      "scope": "offline_access accounting.invoices.read",
    ]
    for (name, value) in changes { parameters[name] = value }
    let query = parameters.map { "\($0.key)=\(Self.encoded($0.value))" }
    return "/connect/authorize?" + query.joined(separator: "&")
  }

  /// Gets a code from a server that approves by itself.
  func code(_ changes: [String: String?] = [:]) async throws -> String {
    let answer = try await get(authorizePath(changes))
    return try #require(Self.parameters(of: answer)["code"])
  }

  func exchange(
    code: String, verifier: String = Self.verifier, redirectURI: String = Self.redirectURI
  ) async throws -> Response {
    try await post(
      "/connect/token",
      form: [
        "grant_type": "authorization_code", "client_id": clientID, "code": code,
        "redirect_uri": redirectURI, "code_verifier": verifier,
      ])
  }

  /// Signs in at a server that approves by itself.
  func signIn(scope: String? = "offline_access accounting.invoices.read") async throws -> Tokens {
    try Tokens(try await exchange(code: try await code(["scope": scope])))
  }

  func refresh(
    _ token: String?, extra: [String: String] = [:]
  ) async throws -> Response {
    let form = [
      "grant_type": "refresh_token", "client_id": clientID, "refresh_token": token ?? "",
    ]
    return try await post("/connect/token", form: form.merging(extra) { $1 })
  }

  func revoke(_ token: String?) async throws -> Response {
    try await post(
      "/connect/revoke", form: ["client_id": clientID, "token": token ?? ""])
  }

  func machineToken() async throws -> Tokens {
    try Tokens(
      try await post(
        "/connect/token",
        form: [
          "grant_type": "client_credentials", "client_id": machineID,
          "client_secret": machineSecret,
        ]))
  }

  /// Lists invoices with the machine's token unless another is given.
  func invoices(
    _ query: String = "", token: String? = nil, headers changes: [String: String?] = [:]
  ) async throws -> Response {
    let accessToken: String
    if let token { accessToken = token } else { accessToken = try await machineToken().accessToken }
    var headers = [
      "Authorization": "Bearer \(accessToken)", "Xero-tenant-id": tenantID,
      "Accept": "application/json",
    ]
    for (name, value) in changes { headers[name] = value }
    return try await get("/api.xro/2.0/Invoices" + query, headers: headers)
  }

  /// The query parameters of the address that an answer redirects to.
  static func parameters(of answer: Response) -> [String: String] {
    let items = answer[header: "location"].flatMap(URLComponents.init(string:))?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
