import HTTPTypes
import Hummingbird
import Synchronization

/// The requests that a sandbox has received since it started, without those to its own controls.
package struct SandboxStatistics: Sendable, Hashable, Codable {
  /// The token requests by grant type, whatever the response; `other` for unknown grant types.
  package var tokenRequests: [String: Int]
  /// The number of spent refresh tokens that were sent again.
  package var refreshReuseDetected: Int
  /// The number of spent authorization codes that were sent again.
  package var codeReuseDetected: Int
  /// The number of live tokens that were revoked at the revocation endpoint.
  package var revocations: Int
  /// The responses by method and path, then by status; `dropped` if the connection was closed
  /// instead.
  ///
  /// The path of a single invoice counts as `/api.xro/2.0/Invoices/{id}`, with ` (application/pdf)`
  /// after it if that is what the request accepts; those of files likewise, such as
  /// `/d/{token}/{name}`.
  package var requests: [String: [String: Int]]
  /// The requests for each organisation, by its identifier.
  package var organisations: [String: Organisation]
  /// The largest number of requests for all organisations together in any minute.
  package var mostPerMinute: Int
  /// The number of requests to which a fault was applied.
  package var faultsApplied: Int
  /// The number of requests for links to files that had credentials, though links need none.
  package var linkRequestsWithCredentials: Int

  /// The requests for one organisation.
  package struct Organisation: Sendable, Hashable, Codable {
    /// The number of requests, refused ones included.
    package var requests = 0
    /// The number of requests that exceeded a limit; each was answered with 429.
    package var refused = 0
    /// The largest number of requests that were answered at the same time.
    package var mostConcurrent = 0
    /// The largest number of requests in any minute.
    package var mostPerMinute = 0
  }
}

final class RequestCounter: Sendable {
  struct Counts: Sendable {
    var tokenRequests: [String: Int]
    var requests: [String: [String: Int]] = [:]
    var faultsApplied = 0
  }

  private let state = Mutex(
    Counts(
      tokenRequests: Dictionary(uniqueKeysWithValues: GrantType.allCases.map { ($0.rawValue, 0) })))

  var counts: Counts { state.withLock { $0 } }

  func tokenRequest(grantType: String?) {
    let name = grantType.flatMap(GrantType.init)?.rawValue ?? "other"
    state.withLock { $0.tokenRequests[name, default: 0] += 1 }
  }

  func answer(_ outcome: String, to endpoint: String) {
    state.withLock { $0.requests[endpoint, default: [:]][outcome, default: 0] += 1 }
  }

  func faultApplied() {
    state.withLock { $0.faultsApplied += 1 }
  }
}

struct CountingMiddleware: RouterMiddleware {
  let counter: RequestCounter

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    guard !request.isControl else { return try await next(request, context) }
    let endpoint = "\(request.method) \(Self.template(of: request))"
    var request = request
    if endpoint == "POST \(OAuthRoutes.tokenPath)" {
      // Counted here instead of at the endpoint, so that requests with a fault count too.
      _ = try await request.collectBody(upTo: 65_536)
      counter.tokenRequest(grantType: try? await request.formParameters()["grant_type"])
    }
    do {
      let response = try await next(request, context)
      counter.answer(String(response.status.code), to: endpoint)
      return response
    } catch {
      counter.answer(Self.outcome(of: error), to: endpoint)
      throw error
    }
  }

  /// The paths with identifiers, whose placeholders stand for them; `*` is any word.
  private static let templates = [
    "/api.xro/2.0/*/{id}", "/api.xro/2.0/*/{id}/Attachments",
    "/api.xro/2.0/*/{id}/Attachments/{attachment}", "/v3/company/*/*/{id}/pdf",
    "/v3/company/*/download/{id}", "/api/v2/*/sales_invoices/{id}/download_pdf",
    "/api/v2/*/sales_invoices/{id}/download_ubl",
    "/api/v2/*/sales_invoices/{id}/attachments/{attachment}/download", "/d/{token}/{name}",
  ].map { $0.split(separator: "/") }

  /// Returns the path with placeholders for the identifiers of an invoice and its files.
  private static func template(of request: Request) -> String {
    let words = request.path.split(separator: "/")
    let template = templates.first { template in
      template.count == words.count
        && zip(template, words).allSatisfy { $0 == $1 || $0 == "*" || $0.hasPrefix("{") }
    }
    guard let template else { return request.path }
    let path = zip(template, words).map { $0.hasPrefix("{") ? $0 : $1 }
    let isPDF =
      words.first == "api.xro" && template.last == "{id}"
      && request.headers[.accept]?.hasPrefix("application/pdf") == true
    return "/" + path.joined(separator: "/") + (isPDF ? " (application/pdf)" : "")
  }

  private static func outcome(of error: any Error) -> String {
    switch error {
    case is SandboxContext.ConnectionDropped, is CancellationError: "dropped"
    case let error as any HTTPResponseError: String(error.status.code)
    default: "500"
    }
  }
}
