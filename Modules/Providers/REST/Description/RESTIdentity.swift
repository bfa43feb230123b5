import JSONReading
import Sync

/// The request that asks whose records a login reads.
package struct RESTIdentity: Sendable, Equatable {
  /// URL path of the response that names the organisation, such as `/me`.
  package let path: String
  /// Path of the organisation's identifier in the response.
  package let field: RESTPath

  package init(path: String, field: RESTPath) {
    self.path = path
    self.field = field
  }

  /// Returns the organisation that a response names.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the response does not name it.
  func organisation(in body: [UInt8]) throws -> String {
    var reader = JSONReader(body)
    let value: JSONValue
    do {
      value = try reader.readValue()
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(part: path + error.pathDescription, reason: error.explanation)
    }
    guard let word = field.value(in: value)?.word, !word.isEmpty else {
      throw SyncError.unreadable(
        part: "\(path) \(field)", reason: "expected an identifier of the organisation")
    }
    return word
  }
}

/// The source that identifies the organisation of a described list.
package enum RESTOrganisation: Sendable {
  /// None: the user states the organisation at each sign-in.
  case unknown
  /// The requests: each one names the organisation, and the server enforces it.
  case named
  /// The server, in response to a request.
  case asked(RESTIdentity)
}
