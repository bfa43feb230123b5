import JSONReading
import Models
import Sync

/// A page as it came: its rows, and all that stands around them.
struct RESTPage {
  /// The rows that are JSON.
  private(set) var rows: [JSONValue] = []
  /// Those that are not quite.
  private(set) var failures: [RowFailure] = []
  /// What stands around the rows.
  private(set) var frame = JSONValue.null

  /// How many rows there are.
  var count: Int { rows.count + failures.count }

  /// What tells the page from others of its list; `nil` where its rows have no identifiers.
  func outline(by id: RESTPath) -> String? {
    guard count > 0 else { return "" }
    guard let first = rows.first.flatMap({ id.value(in: $0) })?.word,
      let last = rows.last.flatMap({ id.value(in: $0) })?.word
    else { return nil }
    return "\(count) \(first) \(last)"
  }

  /// Reads a page.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the page as a whole is broken, or the
  ///   rows are not where they should be.
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
      // Some servers write an empty list so.
      if try !reader.readNull() { try readRows(&reader) }
      return .null
    }
    var members: [String: JSONValue] = [:]
    var hasRows = false
    let offset = reader.position
    try reader.readObject { reader, key in
      let key = "\(key)"
      hasRows = hasRows || key == next
      members[key] =
        key == next ? try read(&reader, keys.dropFirst()) : try reader.readValue()
    }
    // No list is not an empty list: what is stored would be deleted.
    guard hasRows else {
      throw JSONError(reason: .unexpected("it is missing"), offset: offset, path: [next])
    }
    return .object(members)
  }

  /// Reads the rows; one that is sound JSON but says a thing twice is put aside.
  private mutating func readRows(_ reader: inout JSONReader) throws {
    // Where the identifier stands is only known of a whole row.
    try reader.readRows(identifier: "", into: &failures) { rows.append(try $0.readValue()) }
  }

  /// A whole number around the rows.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where there is none, though one was
  ///   described.
  func number(at path: RESTPath?) throws -> Int? {
    guard let path else { return nil }
    guard let number = path.value(in: frame)?.decimal.flatMap({ Int($0.normalized.description) })
    else {
      throw SyncError.unreadable(place: path.description, reason: "a whole number was expected")
    }
    return number
  }

  /// A text around the rows; `nil` where it is left out, `null` or empty.
  func text(at path: RESTPath) throws -> String? {
    guard let value = path.value(in: frame), !value.isBlank else { return nil }
    // Some servers end a list with `false`.
    if value == .bool(false) { return nil }
    guard let word = value.word else {
      throw SyncError.unreadable(place: path.description, reason: "a text was expected")
    }
    return word
  }

  /// Whether the page says that there is another; `nil` where it was not described.
  func flag(at path: RESTPath?) throws -> Bool? {
    guard let path else { return nil }
    guard let word = path.value(in: frame)?.word, let flag = Bool(word) else {
      throw SyncError.unreadable(place: path.description, reason: "true or false was expected")
    }
    return flag
  }
}
