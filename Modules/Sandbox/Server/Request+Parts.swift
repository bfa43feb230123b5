import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
  /// The path as it was received, without the query.
  var path: String {
    let target = head.path ?? "/"
    return String(target.prefix { $0 != "?" })
  }

  /// The organisation that the request names, as Xero's API requires.
  var organisation: String? {
    HTTPField.Name("Xero-tenant-id").flatMap { headers[$0]?.lowercased() }
  }

  /// True if the request is for the sandbox's own controls, which no fault affects.
  var isControl: Bool { path.hasPrefix(ControlRoutes.prefix) }

  /// Returns the parameters of the query.
  func queryParameters() throws -> FormParameters {
    guard let target = head.path, let mark = target.firstIndex(of: "?") else {
      return FormParameters()
    }
    return try FormParameters(target[target.index(after: mark)...])
  }

  /// Returns the body as text of at most 64 KiB; every valid body is far smaller.
  func bodyText() async throws -> String {
    let buffer = try await body.collect(upTo: 65_536)
    guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
      throw FormParameters.Malformed()
    }
    return text
  }

  /// Returns the parameters of a form body (RFC 6749 appendix B).
  func formParameters() async throws -> FormParameters {
    let type = headers[.contentType]?.split(separator: ";").first?.lowercased()
    guard type?.trimmingSuffix(while: { $0 == " " }) == "application/x-www-form-urlencoded" else {
      throw FormParameters.Malformed()
    }
    return try FormParameters(try await bodyText())
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
    return self[startIndex..<end]
  }
}
