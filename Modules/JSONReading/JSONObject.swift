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

  /// - Parameter values: the values, one for each key.
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

/// The keys of an object, in their order.
final class JSONKeys: Sendable {
  static let none = JSONKeys([])

  let names: [String]

  init(_ names: [String]) { self.names = names }

  func index(of key: String) -> Int? {
    for index in names.indices where names[index] == key { return index }
    return nil
  }
}
