import JSONReading
import Sync

/// How a server is asked whose records a login reads.
package struct RESTIdentity: Sendable, Equatable {
  /// The path of the answer that names the organisation, such as `/me`.
  package let path: String
  /// Where in it the organisation's identifier stands.
  package let field: RESTPath

  package init(path: String, field: RESTPath) {
    self.path = path
    self.field = field
  }

  /// Reads the organisation.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the answer does not name it.
  func organisation(in body: [UInt8]) throws -> String {
    var reader = JSONReader(body)
    let value: JSONValue
    do {
      value = try reader.readValue()
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(place: path + error.pathDescription, reason: error.explanation)
    }
    guard let word = field.value(in: value)?.word, !word.isEmpty else {
      throw SyncError.unreadable(
        place: "\(path) \(field)", reason: "an identifier of the organisation was expected")
    }
    return word
  }
}

/// How it is known whose records a described list holds.
package enum RESTOrganisation: Sendable {
  /// Not at all: the user has to say so at each sign-in.
  case unknown
  /// Each request names it, so that the server sees to it.
  case named
  /// The server is asked.
  case asked(RESTIdentity)
}
