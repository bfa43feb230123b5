import Foundation
import HTTPTypes

/// Follows redirects (RFC 9110 section 15.4) without taking credentials to another origin.
struct RedirectLink: Link {
  let maximum: Int
  let next: any Link

  func send(_ request: Request) async throws -> Response {
    var request = request
    for _ in 0...max(0, maximum) {
      let response = try await next.send(request)
      guard let location = location(of: response.head) else { return response }
      guard let target = try follow(request, to: location, status: response.head.status.code) else {
        return response
      }
      request = target
    }
    throw SessionError.redirectRefused(reason: "more than \(maximum) in a row")
  }

  private func location(of head: HTTPResponse) -> String? {
    [301, 302, 303, 307, 308].contains(head.status.code) ? head.headerFields[.location] : nil
  }

  private func follow(_ request: Request, to location: String, status: Int) throws -> Request? {
    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      let from = Origin(request.head), let to = Origin(url)
    else { throw SessionError.redirectRefused(reason: "its target is no http or https URL") }
    guard from.scheme == "http" || to.scheme == "https" else {
      throw SessionError.redirectRefused(reason: "from https to http")
    }
    let keepsMethod = status == 307 || status == 308 || [.get, .head].contains(request.head.method)
    var fields = request.head.headerFields
    if from != to {
      // Whatever is not known to be harmless stays at home: a token can hide in any field.
      fields = HTTPFields(fields.filter { Self.harmless.contains($0.name) })
    }
    if !keepsMethod { fields[.contentType] = nil }
    var redirected: Request
    do {
      redirected = try Request(
        method: keepsMethod ? request.head.method : .get, url: url, fields: fields,
        body: keepsMethod ? request.body : nil)
    } catch {
      throw SessionError.redirectRefused(reason: "its target is not a usable URL")
    }
    guard from == to || redirected.body == nil else {
      throw SessionError.redirectRefused(reason: "it would send a body to another origin")
    }
    redirected.isSafeToRetry = request.isSafeToRetry
    return redirected
  }

  private static let harmless: Set<HTTPField.Name> = [
    .accept, .acceptLanguage, .ifModifiedSince, .ifNoneMatch, .range, .userAgent,
  ]
}
