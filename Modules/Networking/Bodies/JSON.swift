public import Foundation
public import HTTPTypes

extension Request {
  /// Creates a request that carries a value as JSON.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)``, also if the value cannot be encoded.
  public init(
    method: HTTPRequest.Method = .post, url: URL, fields: HTTPFields = [:],
    json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws(SessionError) {
    let body: Data
    do {
      body = try encoder.encode(value)
    } catch {
      throw .invalidRequest(reason: "cannot encode the body as JSON")
    }
    try self.init(method: method, url: url, fields: fields, body: [UInt8](body))
    self.fields[.contentType] = "application/json"
  }
}

extension Response {
  /// Decodes the body as JSON; ``Request/maximumResponseSize`` limits its size.
  ///
  /// Numbers are decoded as the requested type: money does not belong in a `Double`.
  ///
  /// - Throws: ``SessionError/unexpectedBody(origin:underlying:)``.
  public func json<Value: Decodable>(
    _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) throws(SessionError) -> Value {
    do {
      return try decoder.decode(type, from: Data(body))
    } catch {
      throw .unexpectedBody(origin: Origin(url), underlying: error)
    }
  }
}
