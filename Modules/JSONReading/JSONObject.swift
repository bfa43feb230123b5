/// The members of a JSON object, in their order.
///
/// An object of an API has a few dozen members: to compare keys one by one costs less than to hash
/// each.
package struct JSONObject: Sendable {
  private var members: [(key: String, value: JSONValue)] = []

  /// Creates an object without members.
  package init() {}

  /// The value of a key; `nil` if there is none.
  package subscript(key: String) -> JSONValue? {
    // By index, because iterating copies each member.
    for index in members.indices where members[index].key == key { return members[index].value }
    return nil
  }

  /// Adds a member whose key the object does not have yet.
  package mutating func append(_ key: String, _ value: JSONValue) {
    if members.isEmpty { members.reserveCapacity(16) }
    members.append((key, value))
  }

  /// Sets the value of a key.
  package mutating func set(_ key: String, _ value: JSONValue) {
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      append(key, value)
    }
  }
}

extension JSONObject: Equatable {
  /// True if both have the same members, in any order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members.count == right.members.count
      && left.members.allSatisfy { right[$0.key] == $0.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    for (key, value) in members { set(key, value) }
  }
}
