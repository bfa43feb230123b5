import Foundation
import HTTPTypes
import Networking
import SecureStore

/// A client's request to the authorization server: its form, and the header fields that
/// authenticate the client.
struct TokenRequest {
  let url: URL
  var form: [(name: String, value: String)]
  /// True to send the form as a JSON object of texts.
  var isJSON = false
  var fields: HTTPFields = [.accept: "application/json"]

  /// Creates the request that a session sends; it carries no account's credentials.
  func request() throws -> Request {
    guard AuthorizationServer.isTrustworthy(url) else { throw DiscoveryError.insecure(url) }
    var fields = fields
    fields[.contentType] = isJSON ? "application/json" : "application/x-www-form-urlencoded"
    let body =
      isJSON
      ? [UInt8](
        try JSONEncoder().encode(
          Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })))
      : Array(FormEncoding.encode(form).utf8)
    var request = try Request(method: .post, url: url, fields: fields, body: body)
    request.authorization = .none
    return request
  }
}

extension OAuthClient {
  /// Adds the client's authentication to a request (RFC 6749 section 2.3).
  ///
  /// A further method, such as a signed assertion (RFC 7523), is one more case here.
  func authenticate(_ request: inout TokenRequest) {
    switch (authentication, secret?.exposedText) {
    case (.basic, let secret?):
      // RFC 6749 section 2.3.1: both parts are form-encoded before they are joined.
      let pair = "\(FormEncoding.escape(id)):\(FormEncoding.escape(secret))"
      request.fields[.authorization] = "Basic " + Data(pair.utf8).base64EncodedString()
    case (.post, let secret?):
      request.form += [("client_id", id), ("client_secret", secret)]
    default:
      request.form.append(("client_id", id))
    }
  }
}
