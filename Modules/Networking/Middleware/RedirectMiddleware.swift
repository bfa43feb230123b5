import Foundation
import HTTPTypes

/// Follows redirects (RFC 9110 section 15.4) without taking credentials to another origin.
struct RedirectMiddleware: Middleware {
  let maximum: Int
  let rate: RateLimiter?

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    var request = request
    for _ in 0...max(0, maximum) {
      let response = try await next.send(request)
      guard let location = location(of: response.head) else { return response }
      guard let target = try follow(request, to: location, status: response.head.status.code) else {
        return response
      }
      request = target
      if request.isLink { continue }
      try await rate?.count(
        in: next.operation, waitingAtMost: AdmissionMiddleware.patienceForCounting(request))
    }
    throw SessionError.redirectRefused(
      reason: "more than \(maximum) redirects in a row", from: request.origin, to: nil)
  }

  private func location(of head: HTTPResponse) -> String? {
    [301, 302, 303, 307, 308].contains(head.status.code) ? head.headerFields[.location] : nil
  }

  private func follow(_ request: Request, to location: String, status: Int) throws -> Request? {
    let url = URL(string: location, relativeTo: request.url)?.absoluteURL
    let from = request.origin
    let to = url.flatMap { Origin($0) }
    func refusal(_ reason: String) -> SessionError {
      .redirectRefused(reason: reason, from: from, to: to)
    }
    guard let url, let to else { throw refusal("its target is not an http or https URL") }
    guard from.scheme == "http" || to.scheme == "https" else {
      throw refusal("it leads from https to http")
    }
    let method = redirectedMethod(of: request, status: status)
    let keepsBody = method == request.method && status != 303
    var fields = request.fields
    if from != to {
      // Only fields known to be harmless are kept: a token can hide in any field.
      fields = HTTPFields(fields.filter { Self.harmless.contains($0.name) })
    }
    if !keepsBody { fields[.contentType] = nil }
    guard var redirected = try? request.moved(to: url, method: method) else {
      throw refusal("its target is not a usable URL")
    }
    redirected.fields = fields
    if !keepsBody { redirected.body = nil }
    guard from == to || redirected.body == nil else {
      throw refusal("it would send the request's body to another server")
    }
    guard redirected.isReplayable else { throw SessionError.bodyNotReplayable(origin: from) }
    return redirected
  }

  /// Returns the method after a redirect: 307 and 308 keep every method, 301 and 302 all but POST,
  /// 303 only GET and HEAD.
  private func redirectedMethod(of request: Request, status: Int) -> HTTPRequest.Method {
    switch status {
    case 303 where request.method != .head: .get
    case 301 where request.method == .post, 302 where request.method == .post: .get
    default: request.method
    }
  }

  /// The header fields that follow a redirect to another origin.
  static let harmless: Set<HTTPField.Name> = [
    .accept, .acceptEncoding, .acceptLanguage, .ifModifiedSince, .ifNoneMatch, .ifRange, .range,
    .userAgent,
  ]
}
