import Models

/// A place in the list of what was deleted.
struct RESTDeletedPlace: Codable, Sendable, Equatable {
  /// As ``RESTPlace/number``.
  var number = 0
  /// As ``RESTPlace/mark``.
  var mark: String?
  /// As ``RESTPlace/passed``.
  var passed: String?
  /// As ``RESTPlace/compared``.
  var compared: String?
  /// The server's clock when the reading began.
  var horizon: Timestamp?
  /// The last deletion that was seen.
  var newest: Timestamp?

  /// What ``RESTPlace/deletedSince`` is once the list was read: what is deleted from the beginning of the
  /// reading on may be missing in it.
  var end: Timestamp? { horizon ?? newest }

  /// The same in terms of a list of records.
  func place(since: Timestamp) -> RESTPlace {
    var place = RESTPlace(order: .byPages, since: since)
    place.number = number
    place.mark = mark
    place.passed = passed
    place.compared = compared
    return place
  }

  /// The place of the page after it.
  func turned(to place: RESTPlace) -> RESTDeletedPlace {
    var next = self
    next.number = place.number
    next.mark = place.mark
    next.passed = place.passed
    next.compared = place.compared
    return next
  }
}
