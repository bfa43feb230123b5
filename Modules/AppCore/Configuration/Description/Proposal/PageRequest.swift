package import Authentication
package import ErrorCodes
package import Foundation
import HTTPTypes
package import Logging
package import Networking

/// The reason why a page cannot be described.
package struct PageRefusal: Error, Sendable {
  package let code: ErrorCode
  /// The cause.
  package let problem: String
  /// The step with which the user solves the problem.
  package let fix: String
  /// The words of the server, if it explained its answer.
  package var message: String?

  init(_ code: ErrorCode, _ problem: String, fix: String, message: String? = nil) {
    (self.code, self.problem, self.fix, self.message) = (code, problem, fix, message)
  }
}

extension ProposedDescription {
  /// Fetches one page with a single request, which follows no redirect, and proposes a description.
  ///
  /// - Parameters:
  ///   - name: the name of the provider and of the account.
  ///   - url: the address of the page, which receives the token.
  ///   - tokens: the token or key.
  ///   - scheme: the way in which the request carries it.
  ///   - observer: receives the finished request.
  ///   - logger: receives the log.
  /// - Throws: ``PageRefusal``, `SessionError`.
  package static func fetch(
    name: String, from url: URL, _ tokens: TokenSet, scheme: TokenScheme,
    observer: (@Sendable (HTTPExchange) -> Void)?, logger: Logger
  ) async throws -> ProposedDescription {
    guard let origin = Origin(url) else {
      throw PageRefusal(
        .addressRefused, "this is no address of a server", fix: "Pass an https URL.")
    }
    var configuration = SessionConfiguration()
    configuration.redirects = .none
    configuration.retry.attempts = 1
    let session = Session(
      name: "describe", configuration: configuration,
      authorizer: TokenAuthorizer(tokens, scheme: scheme, origin: origin), observer: observer,
      logger: logger)
    let result: Result<Response, any Error>
    do {
      let request = try Request(url: url, fields: [.accept: "application/json"])
      result = .success(try await session.send(request))
    } catch {
      result = .failure(error)
    }
    await session.shutdown()
    let response = try result.get()
    try check(response)
    return try ProposedDescription(
      name: name, page: response.body, url: url, fields: response.head.headerFields,
      scheme: scheme)
  }

  /// Throws the refusal for a response that has no page.
  private static func check(_ response: Response) throws {
    let status = response.head.status.code
    let message = response.providerMessage?.text
    switch status {
    case 200..<300: return
    case 300..<400:
      throw PageRefusal(
        .addressRefused, "the server redirects this address (status \(status))",
        fix: "Pass the address to which it redirects.")
    case 401, 403:
      throw PageRefusal(
        .credentialsRejected, "the server refused the key (status \(status))",
        fix: "Check the key, and how the API expects it: see --header and --basic.",
        message: message)
    case 404, 410:
      throw PageRefusal(
        .unknownAddress, "the server has nothing at this address (status \(status))",
        fix: "Check the address in the API's documentation.", message: message)
    case 429:
      throw PageRefusal(
        .rateLimited, "the server's rate limit is reached", fix: "Try again later.")
    case 400..<500:
      throw PageRefusal(
        .requestRejected, "the server rejected the request (status \(status))",
        fix: "Add the query items that the API requires to the address.", message: message)
    default:
      throw PageRefusal(
        .serverFailed, "the server failed (status \(status))", fix: "Try again later.",
        message: message)
    }
  }
}

extension TokenScheme {
  /// Creates the scheme of a header field, written as `FIELD` or `FIELD:PREFIX`.
  ///
  /// - Throws: ``ConfigurationError`` for a field that no token may be in.
  package init(headerOption text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let prefix = parts.count > 1 ? ", prefix: " + ConfigurationDraft.quoted(String(parts[1])) : ""
    let yaml = "{ header: " + ConfigurationDraft.quoted(String(parts[0])) + prefix + " }"
    self = try TokenScheme(ConfigurationNode(yaml: yaml, source: "--header"))
  }
}
