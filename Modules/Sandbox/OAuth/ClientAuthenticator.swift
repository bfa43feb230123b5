import Foundation

/// Identifies the client that sent a request to the token or revocation endpoint.
struct ClientAuthenticator: Sendable {
  /// A failure; `wantsChallenge` if the client tried HTTP Basic (RFC 6749 section 5.2).
  struct Failure: Error {
    var error: OAuthError
    var wantsChallenge: Bool
  }

  let clients: [Client]

  /// Authenticates by `client_secret_basic`, `client_secret_post` or, without a secret, by name.
  func client(authorization: String?, form: FormParameters) throws(Failure) -> Client {
    guard let authorization else {
      guard let id = form["client_id"] else {
        throw Failure(
          error: OAuthError(.invalidClient, "There are no client credentials."),
          wantsChallenge: false)
      }
      return try client(id: id, secret: form["client_secret"], wantsChallenge: false)
    }
    guard let (id, secret) = Self.basicCredentials(authorization) else {
      throw Failure(
        error: OAuthError(.invalidClient, "The Authorization header cannot be read."),
        wantsChallenge: true)
    }
    guard form["client_secret"] == nil, form["client_id"].map({ $0 == id }) ?? true else {
      throw Failure(
        error: OAuthError(.invalidRequest, "The client authenticates in two ways at once."),
        wantsChallenge: false)
    }
    return try client(id: id, secret: secret.isEmpty ? nil : secret, wantsChallenge: true)
  }

  private func client(
    id: String, secret: String?, wantsChallenge: Bool
  ) throws(Failure) -> Client {
    let failure = Failure(
      error: OAuthError(.invalidClient, "The client is unknown or its secret is wrong."),
      wantsChallenge: wantsChallenge)
    guard let client = clients.first(where: { $0.id == id }) else { throw failure }
    switch (client.kind, secret) {
    case (.public, nil): return client
    case (.confidential(let expected), let secret?) where secret == expected: return client
    default: throw failure
    }
  }

  /// Parses `Basic …`, whose parts are form-encoded before they are joined (RFC 6749, 2.3.1).
  private static func basicCredentials(_ header: String) -> (id: String, secret: String)? {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "basic",
      let data = Data(base64Encoded: String(words[1])),
      let text = String(validating: data, as: UTF8.self)
    else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let id = FormParameters.decoded(parts[0]),
      let secret = FormParameters.decoded(parts[1])
    else { return nil }
    return (id, secret)
  }
}
