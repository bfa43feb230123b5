import HTTPTypes

/// Adds credentials, and sends the request again with newer ones if the server answers 401.
///
/// It does so once per operation, however many attempts there are.
struct AuthorizationMiddleware: Middleware {
  let authorizer: any RequestAuthorizer
  let rate: RateLimiter?

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    // Credentials in the request itself take precedence over the session's.
    guard request.authorization == .required, request.fields[.authorization] == nil else {
      return try await next.send(request)
    }
    let (authorized, generation) = try await authorize(request, next.operation)
    let response = try await next.send(authorized)
    try checkScope(response, request)
    // 403 means that these credentials are not sufficient; newer ones would not be either. A 401
    // after a redirect is not repeated, because the requests before the redirect have taken effect.
    guard response.head.status.code == 401, !deniesPermission(response),
      response.url == request.url,
      next.operation.claimCredentialReplacement(),
      try await replace(generation, request, response, next.operation)
    else { return response }
    guard request.isReplayable else { throw SessionError.bodyNotReplayable(origin: request.origin) }
    try await rate?.count(
      in: next.operation, waitingAtMost: AdmissionMiddleware.patienceForCounting(request))
    let second = try await next.send(authorize(request, next.operation).0)
    try checkScope(second, request)
    return second
  }

  private func replace(
    _ generation: CredentialGeneration, _ request: Request, _ response: StreamingResponse,
    _ operation: Operation
  ) async throws -> Bool {
    try await operation.timing(.credentials) {
      try await operation.run { [authorizer] in
        try await authorizer.replaceCredentials(
          rejected: generation, request: request.head, response: response.head)
      }
    }
  }

  /// Returns true if a 401 is about what the login may do: a newer token may do no more.
  ///
  /// Xero writes this word where it accepts the token, and refuses the organisation or the scope.
  private func deniesPermission(_ response: StreamingResponse) -> Bool {
    message(of: response)?.text == ProviderMessage.deniedPermission
  }

  private func message(of response: StreamingResponse) -> ProviderMessage? {
    ProviderMessage(
      body: response.body.whole ?? [], fields: response.head.headerFields,
      removing: response.sent)
  }

  /// Throws ``SessionError/insufficientScope(needed:origin:message:)`` if the login was granted too
  /// few scopes (RFC 6750 section 3.1).
  private func checkScope(_ response: StreamingResponse, _ request: Request) throws {
    guard [401, 403].contains(response.head.status.code), Origin(response.url) == request.origin
    else { return }
    let challenges = AuthenticationChallenge.all(in: response.head)
    if let challenge = challenges.first(where: { $0.parameters["error"] == "insufficient_scope" }) {
      throw SessionError.insufficientScope(
        needed: challenge.parameters["scope"].flatMap { ScopeWords($0).text },
        origin: request.origin,
        message: message(of: response))
    }
  }

  private func authorize(
    _ request: Request, _ operation: Operation
  ) async throws -> (Request, CredentialGeneration) {
    var head = request.head
    if let generation = try authorizer.authorizeImmediately(&head) {
      return (request.authorized(by: head), generation)
    }
    // An authorizer of a front end may ignore cancellation.
    return try await operation.timing(.credentials) {
      try await operation.run { [authorizer] in
        var head = request.head
        let generation = try await authorizer.authorize(&head)
        return (request.authorized(by: head), generation)
      }
    }
  }
}

extension Request {
  /// Returns the request with the fields of a head; an authorizer cannot change where the request
  /// goes.
  fileprivate func authorized(by head: HTTPRequest) -> Request {
    var authorized = self
    authorized.fields = head.headerFields
    authorized.sent = SentCredentials(
      head.headerFields.filter { fields[$0.name] == nil }.map(\.value))
    return authorized
  }
}
