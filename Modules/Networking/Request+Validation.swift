import HTTPTypes

extension Request {
  /// Throws an error for fields that would change the message's framing rather than its content.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)``.
  func validate() throws(SessionError) {
    for field in fields where Self.frame.contains(field.name) {
      throw .invalidRequest(reason: "\(field.name.rawName) is set by the session itself")
    }
  }

  /// Returns the request with default fields added where it has none of the same name.
  func completed(with defaults: HTTPFields) -> Request {
    guard !defaults.isEmpty else { return self }
    var request = self
    for field in defaults where fields[field.name] == nil && !Self.frame.contains(field.name) {
      request.fields.append(field)
    }
    return request
  }

  /// The header fields that belong to the message's framing.
  static let frame: Set<HTTPField.Name> = Set(
    ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "TE", "Trailer"]
      .compactMap { HTTPField.Name($0) })
}
