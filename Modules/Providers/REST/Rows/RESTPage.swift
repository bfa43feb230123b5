import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// A page: its rows, and the JSON around them.
struct RESTPage {
  private(set) var rows = RESTRows()
  /// Number of rows, including those that could not be read.
  let count: Int
  /// The rows that are valid JSON but could not be read.
  private(set) var failures: [RowFailure] = []
  /// The JSON around the rows, as far as the list's description names it.
  private var frame = JSONValue.null
  /// False for a response without content, so that nothing is known but that there are no rows.
  private var hasContent = true
  /// The header fields of the response.
  private var headers: HTTPFields = [:]

  /// Returns a text that distinguishes the page from others of its list; `nil` if its rows have no
  /// identifiers.
  func outline(by id: RESTPath, of resource: RESTResource) -> String? {
    guard count > 0 else { return "" }
    func word(_ row: JSONValue?) -> String? {
      guard let row else { return nil }
      guard resource.elements != nil else { return id.value(in: row)?.word }
      return resource.records(in: row).first.flatMap { id.value(in: $0) }?.word ?? ""
    }
    guard let first = word(rows.first), let last = word(rows.last) else { return nil }
    return "\(count) \(first) \(last)"
  }

  private init() {
    (count, hasContent) = (0, false)
  }

  /// Reads a page of a resource's list from a response; one without content (204) has no rows.
  ///
  /// - Parameter isFirst: true if it is the first page of the list.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page is malformed or has no
  ///   rows.
  init(_ response: Response, of resource: RESTResource, isFirst: Bool = true) throws {
    guard response.head.status.code != 204 else {
      self.init()
      return
    }
    do {
      try self.init(
        response.body, of: resource, headers: response.head.headerFields, isFirst: isFirst)
    } catch SyncError.unreadable(let part, let reason, nil) {
      // Some servers refuse with status 200. A page that is a list has no words but those of rows.
      let isObject = response.body.first { $0 > 0x20 } == UInt8(ascii: "{")
      throw SyncError.unreadable(
        part: part, reason: reason, message: isObject ? response.providerMessage : nil)
    }
  }

  /// Reads a page of a resource's list.
  ///
  /// - Parameter isFirst: true if it is the first page of the list.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page is malformed or has no
  ///   rows.
  init(
    _ body: [UInt8], of resource: RESTResource, headers: HTTPFields = [:], isFirst: Bool = true
  ) throws {
    let versions = resource.changes.versions
    try self.init(
      body, rows: versions?.rows ?? resource.rows,
      id: versions?.id ?? resource.detail?.listed["id"] ?? resource.elements
        ?? resource.fields.fields["id"]?.path,
      count: resource.count,
      others: [resource.paging.field, resource.paging.total, resource.paging.more],
      headers: headers, isFirst: isFirst)
  }

  /// Reads a page with rows at a path.
  ///
  /// - Parameters:
  ///   - id: the path of the identifier in a row.
  ///   - count: the path of the number of rows in all pages, if the server states it.
  ///   - others: the paths of other values around the rows.
  ///   - isFirst: true if it is the first page of the list.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page is malformed or has no
  ///   rows.
  init(
    _ body: [UInt8], rows path: RESTPath, id: RESTPath?, count: RESTPath? = nil,
    others: [RESTPath?] = [], headers: HTTPFields = [:], isFirst: Bool = true
  ) throws {
    self.headers = headers
    var reading = RESTPageReading(path: path, id: id, rows: RESTRows(of: body))
    var reader = JSONReader(body)
    do {
      let wanted = (others + [count]).compactMap(\.self).filter { $0.header == nil }
      frame = try reading.read(&reader, path.steps[...], wanted)
      try reader.readEnd()
    } catch let error as JSONError {
      throw Self.unreadable(error)
    }
    (rows, failures) = (reading.rows, reading.failures)
    self.count = rows.count + failures.count
    if let absence = reading.absence {
      // Some servers leave an empty list out. The count shows that this is a page of the list.
      let count = (try? number(at: count)) ?? nil
      guard let count, count == 0 || !isFirst else { throw Self.unreadable(absence) }
    }
  }

  private static func unreadable(_ error: JSONError) -> SyncError {
    .unreadable(
      part: error.path.isEmpty ? "byte \(error.offset)" : error.pathDescription,
      reason: error.explanation)
  }

  /// Returns a whole number around the rows; `nil` if `path` is `nil`.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if there is no such number at the
  ///   path.
  func number(at path: RESTPath?) throws -> Int? {
    guard let path, hasContent else { return nil }
    let number =
      if let header = path.header {
        headers[header].flatMap { Int($0) }
      } else {
        path.value(in: frame)?.decimal.flatMap { Int($0.normalized.description) }
      }
    guard let number else {
      throw SyncError.unreadable(part: path.description, reason: "expected a whole number")
    }
    return number
  }

  /// Returns a text around the rows; `nil` if it is missing, `null` or empty.
  func text(at path: RESTPath) throws -> String? {
    guard let value = path.value(in: frame), !value.isBlank else { return nil }
    // Some servers end a list with `false`.
    if value == .bool(false) { return nil }
    guard let word = value.word else {
      throw SyncError.unreadable(part: path.description, reason: "expected a text")
    }
    return word
  }

  /// Returns the flag that says whether another page follows; `nil` if `path` is `nil`.
  ///
  /// Besides true and false, it is the number, token or address of the next page, or `null`.
  func flag(at path: RESTPath?) throws -> Bool? {
    guard let path else { return nil }
    guard hasContent else { return false }
    switch path.value(in: frame) {
    case .bool(let flag)?: return flag
    case .number(let number)?: return number > .zero
    case .text(let text)?: return !Self.ends.contains(text.lowercased())
    case .null?: return false
    case .list, .object, .unreadable, nil:
      throw SyncError.unreadable(
        part: path.description,
        reason: "expected true or false, or the number or address of the next page")
    }
  }

  private static let ends: Set = ["", "false", "no", "n", "0", "-1", "null", "none"]
}

/// The reading of a page, from the first byte to the last.
private struct RESTPageReading {
  let path: RESTPath
  let id: RESTPath?
  private(set) var rows: RESTRows
  private(set) var failures: [RowFailure] = []
  private(set) var absence: JSONError?

  init(path: RESTPath, id: RESTPath?, rows: RESTRows) {
    (self.path, self.id, self.rows) = (path, id, rows)
  }

  /// Reads the value that the rest of the steps leads through.
  ///
  /// - Parameter wanted: the paths of values around the rows; all others are skipped, because a
  ///   page may hold more besides its rows than in them.
  mutating func read(
    _ reader: inout JSONReader, _ steps: ArraySlice<RESTPath.Step>, _ wanted: [RESTPath]
  ) throws -> JSONValue {
    guard let next = steps.first else {
      // Some servers write an empty list as `null`.
      if try !reader.readNull() { try readRows(&reader) }
      return .null
    }
    var hasRows = false
    var present: [String] = []
    /// Reads a value that a step leads to; `nil` if nobody wants it.
    func value(
      _ reader: inout JSONReader, at step: RESTPath.Step
    ) throws -> JSONValue? {
      let inside = wanted.compactMap { $0.inside(step) }
      guard step == next || !inside.isEmpty else {
        try reader.skipValue()
        return nil
      }
      guard step == next else { return try reader.readValue() }
      hasRows = true
      return try read(&reader, steps.dropFirst(), inside)
    }
    let offset = reader.position
    var frame = JSONValue.null
    switch next {
    case .key:
      var (names, values) = ([String](), [JSONValue]())
      try requireObject(&reader, steps)
      try reader.readObject { reader, key in
        if present.count < Self.shownKeys { present.append("\(key)") }
        guard let value = try value(&reader, at: .key("\(key)")) else { return }
        names.append("\(key)")
        values.append(value)
      }
      frame = .object(JSONObject(names, values))
    case .index:
      var elements: [JSONValue] = []
      try reader.readArray { reader in
        elements.append(try value(&reader, at: .index(elements.count)) ?? .null)
      }
      frame = .list(elements)
    }
    // A missing list is not an empty list: an empty one would delete all stored records.
    if !hasRows {
      let passed = path.steps.prefix(path.steps.count - steps.count + 1)
      absence = JSONError(
        reason: .unexpected("missing" + Self.listing(present)), offset: offset,
        path: passed.map(\.description))
    }
    return frame
  }

  /// The number of keys that an error about missing rows names.
  private static let shownKeys = 12

  /// Returns the keys that are there, for an error; none that may be data, such as a name.
  private static func listing(_ keys: [String]) -> String {
    let names = keys.filter { key in
      key.count <= 40 && key.first?.isNumber == false
        && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.@".contains($0)) }
    }
    return names.isEmpty ? "" : "; keys there: " + names.joined(separator: ", ")
  }

  /// Requires an object where a key of the path is next; the page itself may be the list.
  private func requireObject(
    _ reader: inout JSONReader, _ steps: ArraySlice<RESTPath.Step>
  ) throws {
    guard reader.isAtList else { return }
    let passed = path.steps.prefix(path.steps.count - steps.count)
    let place = passed.isEmpty ? "." : passed.map(\.description).joined(separator: ".")
    throw JSONError(
      reason: .unexpected(
        "expected an object, found a list; if these are the rows, set rows: \(place)"),
      offset: reader.position, path: passed.map(\.description))
  }

  /// Reads the rows; a row that is valid JSON but cannot be read becomes a failure.
  private mutating func readRows(_ reader: inout JSONReader) throws {
    if !path.steps.isEmpty, !reader.isAtList {
      let start = reader.mark
      if let elements = try reader.readValue().elements, elements.allSatisfy(isRow) {
        for element in elements { rows.append(element) }
        return
      }
      reader.rewind(to: start)
    }
    if path.steps.isEmpty, !reader.isAtList {
      guard case .object(let members) = try reader.readValue() else {
        throw JSONError(reason: .unexpected("expected a list"), offset: reader.position)
      }
      throw JSONError(
        reason: .unexpected("expected a list" + Self.listing(members.names)),
        offset: reader.position)
    }
    // The identifier can be found only in a row that was read, so failures have none.
    try reader.readRows(identifier: "", into: &failures) { reader in
      let position = reader.position
      rows.append(try reader.readValue(), readableAt: position)
    }
  }

  /// Returns true if a value has an identifier, so that it is no message of an error.
  private func isRow(_ value: JSONValue) -> Bool {
    id?.value(in: value)?.isBlank == false
  }
}

/// The rows of a page.
///
/// Values take several times as much memory as their text. So of a large page only the first rows
/// are held, and the others are read again when they are needed.
struct RESTRows {
  /// The number of rows that are held; few servers send more on a page.
  static var heldCount: Int { 1_000 }

  private var held: [JSONValue] = []
  private var positions: [Int] = []
  private var reader: JSONReader
  private(set) var last: JSONValue?

  /// Creates the rows of a response, before the first one.
  init(of body: [UInt8] = []) { reader = JSONReader(body) }

  /// The first row.
  var first: JSONValue? { held.first }
  var count: Int { held.count + positions.count }

  /// Adds a row.
  ///
  /// - Parameter position: the position of the row in the response; `nil` if it has to be held.
  mutating func append(_ row: JSONValue, readableAt position: Int? = nil) {
    last = row
    if let position, held.count >= Self.heldCount {
      positions.append(position)
    } else {
      held.append(row)
    }
  }

  /// Calls a function with each row.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func readEach(_ body: (JSONValue) -> Void) throws {
    for row in held { body(row) }
    var reader = reader
    for position in positions {
      reader.move(to: position)
      body(try reader.readValue())
    }
  }
}
