import HTTPTypes

/// Adds credentials, and sends once more with newer ones when the server answers 401.
struct AuthorizationLink: Link {
  let authorizer: any RequestAuthorizer
  let next: any Link

  func send(_ request: Request) async throws -> Response {
    guard request.authorization == .required else { return try await next.send(request) }
    var authorized = request
    let generation = try await authorizer.authorize(&authorized.head)
    let response = try await next.send(authorized)
    // 403 means that these credentials may not: newer ones would not either.
    // Nor does a 401 of an origin that a redirect led to: it never saw them.
    guard response.head.status.code == 401, Origin(response.url) == Origin(authorized.head),
      try await authorizer.replaceCredentials(rejected: generation, response: response.head)
    else { return response }
    authorized = request
    _ = try await authorizer.authorize(&authorized.head)
    return try await next.send(authorized)
  }
}
