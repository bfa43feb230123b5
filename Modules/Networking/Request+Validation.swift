import HTTPTypes

extension Request {
  /// Refuses what would change the message's frame rather than its content.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)``.
  func validate() throws(SessionError) {
    for field in fields where Self.frame.contains(field.name) {
      throw .invalidRequest(reason: "\(field.name.rawName) is set by the session itself")
    }
  }

  /// Has fields of the session where it has none of its own.
  func completed(with defaults: HTTPFields) -> Request {
    guard !defaults.isEmpty else { return self }
    var request = self
    for field in defaults where fields[field.name] == nil && !Self.frame.contains(field.name) {
      request.fields.append(field)
    }
    return request
  }

  /// Fields that belong to the message's frame.
  static let frame: Set<HTTPField.Name> = Set(
    ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "TE", "Trailer"]
      .compactMap { HTTPField.Name($0) })
}
