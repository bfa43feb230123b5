import Models
import Sync

/// A cursor in the list of deleted records.
struct RESTDeletedCursor: Codable, Sendable, Equatable {
  /// See ``RESTCursor/number``.
  var number = 0
  /// See ``RESTCursor/mark``.
  var mark: String?
  /// See ``RESTCursor/passed``.
  var passed: String?
  /// See ``RESTCursor/compared``.
  var compared: String?
  /// See ``RESTCursor/emptyPages``.
  var emptyPages: Int?
  /// Server time at which the reading began.
  var horizon: Timestamp?
  /// Time of the last deletion seen.
  var newest: Timestamp?

  /// Value of ``RESTCursor/deletedSince`` after the whole list was read.
  ///
  /// The list may lack records that were deleted after the reading began.
  var end: Timestamp? { horizon ?? newest }

  /// Returns the same position as a cursor in a list of records.
  func cursor(since: Timestamp) -> RESTCursor {
    var cursor = RESTCursor(order: .byPages, since: since)
    cursor.number = number
    cursor.mark = mark
    cursor.passed = passed
    cursor.compared = compared
    cursor.emptyPages = emptyPages
    return cursor
  }

  /// Returns the position of another page.
  func advanced(to cursor: RESTCursor) -> RESTDeletedCursor {
    var next = self
    next.number = cursor.number
    next.mark = cursor.mark
    next.passed = cursor.passed
    next.compared = cursor.compared
    next.emptyPages = cursor.emptyPages
    return next
  }
}
