extension JSONGuide {
  /// Returns a sentence for each difference between a value and the type that the guide gives it.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - type: a type in the words of the guide.
  ///   - path: the place of the value, for the sentences.
  public func differences(of value: JSONTree, from type: String, at path: String) -> [String] {
    if type.hasSuffix(" or null") {
      if case .null = value { return [] }
      return differences(of: value, from: String(type.dropLast(" or null".count)), at: path)
    }
    switch value {
    case .array(let elements) where type.hasPrefix("array of "):
      let element = String(type.dropFirst("array of ".count))
      return elements.flatMap { differences(of: $0, from: element, at: path + "[]") }
    case .object(let members) where type.hasPrefix("map of "):
      let element = String(type.dropFirst("map of ".count))
      return members.flatMap { differences(of: $1, from: element, at: "\(path).\($0)") }
    case .object(let members):
      guard let object = objects[type] else { return ["\(path) is an object, not \(type)"] }
      return differences(of: members, from: object, at: path)
    case .text where ["text", "amount", "day", "instant"].contains(type): return []
    case .number where type == "number": return []
    case .flag where type == "flag": return []
    default: return ["\(path) is \(value), not \(type)"]
    }
  }

  private func differences(
    of members: [String: JSONTree], from object: [Member], at path: String
  ) -> [String] {
    let known = Set(object.map(\.name) + ["schemaVersion"])
    let unknown = members.keys.filter { !known.contains($0) }.sorted()
    return unknown.map { "the guide lacks \(path).\($0)" }
      + object.flatMap { member in
        let place = "\(path).\(member.name)"
        guard let value = members[member.name] else {
          return member.isOptional ? [] : ["\(place) is absent"]
        }
        return differences(of: value, from: member.type, at: place)
      }
  }
}
