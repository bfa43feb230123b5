import HTTPTypes

/// Adds credentials, and sends once more with newer ones when the server answers 401.
struct AuthorizationLink: Link {
  let authorizer: any RequestAuthorizer
  let next: any Link

  func send(_ request: Request) async throws -> Response {
    guard request.authorization == .required else { return try await next.send(request) }
    let (authorized, generation) = try await authorize(request)
    let response = try await next.send(authorized)
    // 403 means that these credentials may not: newer ones would not either.
    // Nor does a 401 of an origin that a redirect led to: it never saw them.
    guard response.head.status.code == 401, Origin(response.url) == request.origin,
      try await authorizer.replaceCredentials(rejected: generation, response: response.head)
    else { return response }
    return try await next.send(authorize(request).0)
  }

  private func authorize(_ request: Request) async throws -> (Request, CredentialGeneration) {
    var head = request.head
    let generation = try await authorizer.authorize(&head)
    var authorized = request
    // Only fields are taken over: an authorizer has no say in where the request goes.
    authorized.fields = head.headerFields
    return (authorized, generation)
  }
}
