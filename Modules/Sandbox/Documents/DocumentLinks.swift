import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// The links to files, which another server of the sandbox serves without credentials.
final class DocumentLinks: Sendable {
  private struct Link {
    var document: LedgerDocument
    let expiresAt: ContinuousClock.Instant
    var isSpent = false
  }

  private struct State {
    var links: [String: Link] = [:]
    /// The last link of each file, by its key.
    var latest: [String: String] = [:]
    var origin = ""
    var credentials = 0
  }

  private static let unreserved = CharacterSet(charactersIn: "-._").union(.alphanumerics)

  let options: SandboxDocuments
  private let lifetime: Duration
  private let clock: SandboxClock
  private let state = Mutex(State())

  init(_ configuration: SandboxConfiguration, clock: SandboxClock) {
    (options, lifetime) = (configuration.documents, configuration.linkLifetime)
    self.clock = clock
  }

  /// The address of the server of files.
  var origin: String {
    get { state.withLock { $0.origin } }
    set { state.withLock { $0.origin = newValue } }
  }

  /// The secret part of every link so far.
  var tokens: [String] { state.withLock { Array($0.links.keys) } }

  /// The number of requests to the server of files that had credentials.
  var requestsWithCredentials: Int { state.withLock { $0.credentials } }

  /// Returns a new link to a file.
  func url(of document: LedgerDocument) -> String {
    state.withLock { add(document, to: &$0) }
  }

  /// Returns the last link to a file while it is good, and a new one otherwise.
  func lastingURL(of document: LedgerDocument) -> String {
    state.withLock { state in
      guard let token = state.latest[document.key], let link = state.links[token], !link.isSpent,
        clock.now < link.expiresAt
      else { return add(document, to: &state) }
      state.links[token]?.document = document
      return Self.url(state.origin, token, document.name)
    }
  }

  private func add(_ document: LedgerDocument, to state: inout State) -> String {
    let token = RandomToken.make()
    state.links[token] = Link(document: document, expiresAt: clock.now + lifetime)
    state.latest[document.key] = token
    return Self.url(state.origin, token, document.name)
  }

  private static func url(_ origin: String, _ token: String, _ name: String) -> String {
    let encoded = name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    // Dots alone would lead to another path.
    return "\(origin)/d/\(token)/\(encoded.allSatisfy { $0 == "." } ? "file" : encoded)"
  }

  func addRoutes(to router: Router<SandboxContext>) {
    router.get("/d/:token/**") { [self] request, context in
      answer(request, token: context.parameters.get("token") ?? "")
    }
  }

  private func answer(_ request: Request, token: String) -> Response {
    let found = state.withLock { state -> (document: LedgerDocument, isGood: Bool)? in
      guard let link = state.links[token] else { return nil }
      if options.singleUseLinks { state.links[token]?.isSpent = true }
      return (link.document, !link.isSpent && clock.now < link.expiresAt)
    }
    guard let found else { return Self.refusal(.notFound, "NoSuchKey") }
    guard found.isGood else { return Self.refusal(.forbidden, "AccessDenied") }
    let content = found.document.content(options)
    var response = Response(content)
    response.headers[.eTag] = content.entityTag
    response.headers[.acceptRanges] = "bytes"
    if let start = Self.start(of: request, content) {
      response.status = .partialContent
      response.headers[.contentRange] = "bytes \(start)-\(content.size - 1)/\(content.size)"
      response.body = content.body(from: start)
    }
    return response
  }

  /// Returns the offset from which on a request wants a file; `nil` for all of it.
  private static func start(of request: Request, _ content: DocumentContent) -> Int? {
    guard let range = request.headers[.range], range.hasPrefix("bytes="), range.hasSuffix("-"),
      let start = Int(range.dropFirst(6).dropLast()), (0..<content.size).contains(start),
      request.headers[.ifRange].map({ $0 == content.entityTag }) ?? true
    else { return nil }
    return start
  }

  /// Returns an answer in the form of a store of objects.
  private static func refusal(_ status: HTTPResponse.Status, _ code: String) -> Response {
    var response = Response(
      text: "<?xml version=\"1.0\"?><Error><Code>\(code)</Code></Error>", status: status)
    response.headers[.contentType] = "application/xml"
    return response
  }

  func countCredentials() {
    state.withLock { $0.credentials += 1 }
  }
}

/// Counts the requests that bring credentials to the server of files, which needs none.
struct CredentialsMiddleware: RouterMiddleware {
  private static let names = [
    "Authorization", "Proxy-Authorization", "Cookie", "Xero-tenant-id", "Stripe-Account",
  ].compactMap { HTTPField.Name($0) }

  let links: DocumentLinks

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    if Self.names.contains(where: { request.headers[$0] != nil }) { links.countCredentials() }
    return try await next(request, context)
  }
}
