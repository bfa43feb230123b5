import JSONReading
import Models
import Sync

/// A page: its rows, and the JSON around them.
struct RESTPage {
  /// The rows that could be read.
  private(set) var rows: [JSONValue] = []
  /// The rows that are valid JSON but could not be read.
  private(set) var failures: [RowFailure] = []
  /// The JSON around the rows.
  private(set) var frame = JSONValue.null

  /// Number of rows, including those that could not be read.
  var count: Int { rows.count + failures.count }

  /// Returns a text that distinguishes the page from others of its list; `nil` if its rows have no
  /// identifiers.
  func outline(by id: RESTPath) -> String? {
    guard count > 0 else { return "" }
    guard let first = rows.first.flatMap({ id.value(in: $0) })?.word,
      let last = rows.last.flatMap({ id.value(in: $0) })?.word
    else { return nil }
    return "\(count) \(first) \(last)"
  }

  /// Reads a page.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` if the page is malformed or has no rows at
  ///   `path`.
  init(_ body: [UInt8], rows path: RESTPath) throws {
    var reader = JSONReader(body)
    do {
      frame = try read(&reader, (path.keys ?? [])[...])
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        place: error.path.isEmpty ? "byte \(error.offset)" : error.pathDescription,
        reason: error.explanation)
    }
  }

  private mutating func read(
    _ reader: inout JSONReader, _ keys: ArraySlice<String>
  ) throws -> JSONValue {
    guard let next = keys.first else {
      // Some servers write an empty list as `null`.
      if try !reader.readNull() { try readRows(&reader) }
      return .null
    }
    var members = JSONObject()
    var hasRows = false
    let offset = reader.position
    try reader.readObject { reader, key in
      let key = "\(key)"
      hasRows = hasRows || key == next
      members.append(
        key, key == next ? try read(&reader, keys.dropFirst()) : try reader.readValue())
    }
    // A missing list is not an empty list: an empty one would delete all stored records.
    guard hasRows else {
      throw JSONError(reason: .unexpected("missing"), offset: offset, path: [next])
    }
    return .object(members)
  }

  /// Reads the rows; a row that is valid JSON but cannot be read becomes a failure.
  private mutating func readRows(_ reader: inout JSONReader) throws {
    // The identifier can be found only in a row that was read, so failures have none.
    try reader.readRows(identifier: "", into: &failures) { rows.append(try $0.readValue()) }
  }

  /// Returns a whole number around the rows; `nil` if `path` is `nil`.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` if there is no such number at the path.
  func number(at path: RESTPath?) throws -> Int? {
    guard let path else { return nil }
    guard let number = path.value(in: frame)?.decimal.flatMap({ Int($0.normalized.description) })
    else {
      throw SyncError.unreadable(place: path.description, reason: "expected a whole number")
    }
    return number
  }

  /// Returns a text around the rows; `nil` if it is missing, `null` or empty.
  func text(at path: RESTPath) throws -> String? {
    guard let value = path.value(in: frame), !value.isBlank else { return nil }
    // Some servers end a list with `false`.
    if value == .bool(false) { return nil }
    guard let word = value.word else {
      throw SyncError.unreadable(place: path.description, reason: "expected a text")
    }
    return word
  }

  /// Returns the flag that says whether another page follows; `nil` if `path` is `nil`.
  func flag(at path: RESTPath?) throws -> Bool? {
    guard let path else { return nil }
    guard let word = path.value(in: frame)?.word, let flag = Bool(word) else {
      throw SyncError.unreadable(place: path.description, reason: "expected true or false")
    }
    return flag
  }
}
