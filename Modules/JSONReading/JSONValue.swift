package import Models

/// A JSON value whose structure is not known beforehand.
///
/// Numbers keep their digits; no amount is ever a `Double`.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(ExactDecimal)
  case text(String)
  case list([JSONValue])
  case object(JSONObject)
  /// A value that cannot be held: too large a number, nested too deeply, not UTF-8, a duplicate, or
  /// a word that JSON lacks, such as `NaN`.
  ///
  /// Only code that needs this value fails.
  case unreadable(String)

  /// The value as one word: the letters of a text, the digits of a number, `true` or `false`.
  package var word: String? {
    switch self {
    case .text(let text): text
    case .number(let number): number.description
    case .bool(let bool): bool ? "true" : "false"
    case .null, .list, .object, .unreadable: nil
    }
  }

  /// True if the value is `null`, or a text that is empty or only whitespace.
  package var isBlank: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isBlank
    case .bool, .number, .list, .object, .unreadable: false
    }
  }
}

extension JSONReader {
  /// Reads a value of any kind as a tree of limited depth.
  package mutating func readValue() throws -> JSONValue {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "{") where depth == Self.maximumDepth,
      UInt8(ascii: "[") where depth == Self.maximumDepth:
      try skipValue()
      return .unreadable("nested too deeply")
    case UInt8(ascii: "{"): return .object(try readMembers())
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try readArray { elements.append(try $0.readValue()) }
      return .list(elements)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try sound { .bool(try $0.readBool()) }
    case UInt8(ascii: "n"):
      return try sound {
        _ = try $0.readNull()
        return .null
      }
    case UInt8(ascii: "\""): return try sound { .text(try $0.readString()) }
    default: return try sound { .number(try $0.readDecimal()) }
    }
  }

  /// Reads a value, and turns one that cannot be held into `unreadable`, to keep the others around
  /// it.
  private mutating func sound(
    _ read: (inout JSONReader) throws -> JSONValue
  ) throws -> JSONValue {
    let start = mark
    do {
      return try read(&self)
    } catch let error as JSONError where !error.isMalformed {
      rewind(to: start)
      try skipValue()
      return .unreadable(error.explanation)
    }
  }

  mutating func readMembers() throws -> JSONObject {
    try open(UInt8(ascii: "{"), "an object")
    if try closes(UInt8(ascii: "}")) {
      depth -= 1
      return JSONObject()
    }
    var values: [JSONValue] = []
    var end = JSONKeyTree.Position()
    var first = end
    repeat {
      let key = try scanKey()
      guard tree.follow(key, from: &end) else {
        return try readOtherMembers(key, after: tree.names(at: end), values)
      }
      if values.isEmpty {
        first = end
        values.reserveCapacity(tree.usualCount(at: end))
      }
      values.append(try readMember(of: key))
    } while try continues(until: UInt8(ascii: "}"))
    depth -= 1
    return JSONObject(keys: tree.keys(at: end, first: first), values: values)
  }

  /// Reads the rest of an object whose keys the tree does not have, from the value of a key.
  private mutating func readOtherMembers(
    _ key: JSONKey, after names: [String], _ values: [JSONValue]
  ) throws -> JSONObject {
    var (names, values, key) = (names, values, key)
    let outer = keys.enter()
    // The places of the keys, once one is given twice: a search of all keys for each would take
    // time that grows with the square of their number.
    var places: [String: Int]?
    for name in names { _ = keys.insert(JSONKey(name).hash) }
    while true {
      let isRepeated = !keys.insert(key.hash)
      let value = try readMember(of: key)
      let name = key.description
      if isRepeated, places == nil {
        places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
      }
      if isRepeated, let index = places?[name] {
        // With duplicate keys, the right value is unknown.
        values[index] = .unreadable("the key is given twice")
      } else {
        places?[name] = names.count
        names.append(name)
        values.append(value)
      }
      guard try continues(until: UInt8(ascii: "}")) else { break }
      key = try scanKey()
    }
    keys.leave(to: outer)
    depth -= 1
    return JSONObject(keys: JSONKeys(names), values: values)
  }

  private mutating func readMember(of key: JSONKey) throws -> JSONValue {
    skipSpace()
    try take(UInt8(ascii: ":"))
    do { return try readValue() } catch var error as JSONError {
      error.path.insert("\(key)", at: 0)
      throw error
    }
  }
}

/// The members of a JSON object, in their order.
///
/// An object of an API has a few dozen members: to compare keys one by one costs less than to hash
/// each. The objects of a list share their keys; see ``JSONKeyTree``.
package struct JSONObject: Sendable {
  private var keys: JSONKeys
  /// The values, in the order of their keys.
  package private(set) var values: [JSONValue]

  /// Creates an object without members.
  package init() { self.init(keys: .none, values: []) }

  init(keys: JSONKeys, values: [JSONValue]) {
    (self.keys, self.values) = (keys, values)
  }

  /// Creates an object from its keys, of which no two are the same, and the values in their order.
  package init(_ names: [String], _ values: [JSONValue]) {
    self.init(keys: JSONKeys(names), values: values)
  }

  /// Returns true if both have the same keys in the same order, as far as that is known without
  /// comparing them.
  package func sharesKeys(with other: JSONObject) -> Bool { keys === other.keys }

  /// The keys, in their order.
  package var names: [String] { keys.names }

  /// Returns the place of a key; `nil` if there is none.
  package func index(of key: String) -> Int? { keys.index(of: key) }

  /// The value at the place of a key.
  package subscript(index: Int) -> JSONValue { values[index] }

  /// The value of a key; `nil` if there is none.
  package subscript(key: String) -> JSONValue? {
    keys.index(of: key).map { values[$0] }
  }

  /// Adds a member whose key the object does not have yet.
  package mutating func append(_ key: String, _ value: JSONValue) {
    keys = JSONKeys(keys.names + [key])
    values.append(value)
  }

  /// Sets the value of a key.
  package mutating func set(_ key: String, _ value: JSONValue) {
    if let index = keys.index(of: key) { values[index] = value } else { append(key, value) }
  }
}

extension JSONObject: Equatable {
  /// True if both have the same members, in any order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.values.count == right.values.count
      && left.keys.names.allSatisfy { left[$0] == right[$0] }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init()
    for (key, value) in members { set(key, value) }
  }
}

final class JSONKeys: Sendable {
  static let none = JSONKeys([])

  let names: [String]

  init(_ names: [String]) { self.names = names }

  func index(of key: String) -> Int? {
    for index in names.indices where names[index] == key { return index }
    return nil
  }
}
