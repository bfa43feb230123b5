extension JSONReader {
  /// Reads an object as its members.
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
