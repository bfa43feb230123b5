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

  /// Fields that belong to the message's frame.
  static let frame: Set<HTTPField.Name> = Set(
    ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "TE", "Trailer"]
      .compactMap { HTTPField.Name($0) })
}
