import Models
import Sync

/// A cursor in the list of what was deleted.
struct RESTDeletedCursor: Codable, Sendable, Equatable {
  /// As ``RESTCursor/number``.
  var number = 0
  /// As ``RESTCursor/mark``.
  var mark: String?
  /// As ``RESTCursor/passed``.
  var passed: String?
  /// As ``RESTCursor/compared``.
  var compared: String?
  /// The server's clock when the reading began.
  var horizon: Timestamp?
  /// The last deletion that was seen.
  var newest: Timestamp?

  /// What ``RESTCursor/deletedSince`` is once the list was read: what is deleted from the beginning
  /// of the reading on may be missing in it.
  var end: Timestamp? { horizon ?? newest }

  /// The same in terms of a list of records.
  func cursor(since: Timestamp) -> RESTCursor {
    var cursor = RESTCursor(order: .byPages, since: since)
    cursor.number = number
    cursor.mark = mark
    cursor.passed = passed
    cursor.compared = compared
    return cursor
  }

  /// The cursor of the page after it.
  func turned(to cursor: RESTCursor) -> RESTDeletedCursor {
    var next = self
    next.number = cursor.number
    next.mark = cursor.mark
    next.passed = cursor.passed
    next.compared = cursor.compared
    return next
  }
}
