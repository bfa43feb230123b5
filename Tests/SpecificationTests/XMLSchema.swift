import Foundation

/// The types of several XML schema files, as far as Intuit uses them.
struct XMLSchema: Sendable {
  /// A member of a type: an element or an attribute.
  struct Member: Sendable {
    let name: String
    let type: String
    let isList: Bool
    /// Number of the choice that it belongs to; members of one choice exclude one another.
    let choice: Int?
  }

  private struct ComplexType: Sendable {
    var base: String?
    var members: [Member] = []
  }

  /// The elements that may be queried, by name, with their types.
  private(set) var objects: [String: String] = [:]
  private(set) var enumerations: [String: [String]] = [:]
  private var types: [String: ComplexType] = [:]

  init(_ texts: [String]) {
    for text in texts { read(text) }
  }

  /// Returns all members of a type, those of its bases first.
  func members(of type: String) -> [Member] {
    guard let found = types[type] else { return [] }
    return (found.base.map(members) ?? []) + found.members
  }

  /// Returns whether a path of members, such as `MetaData.LastUpdatedTime`, leads from an object to
  /// a value.
  func hasPath(_ path: String, in object: String) -> Bool {
    var type = objects[object]
    for name in path.split(separator: ".") {
      guard let member = type.map(members)?.first(where: { $0.name == name }) else { return false }
      type = member.type
    }
    return true
  }

  private mutating func read(_ text: String) {
    var (typeName, enumName, depth, choices): (String?, String?, Int, [Int]) = (nil, nil, 0, [])
    var choiceCount = 0
    for tag in Self.tags(text) {
      switch tag.name {
      case "complexType" where tag.isEnd:
        typeName = nil
        choices = []
      case "complexType":
        guard let name = tag.attributes["name"] else { continue }
        typeName = name
        types[name] = ComplexType()
      case "simpleType":
        enumName = tag.isEnd ? nil : tag.attributes["name"]
      case "enumeration":
        if let enumName, let value = tag.attributes["value"] {
          enumerations[enumName, default: []].append(value)
        }
      case "extension":
        if let typeName, !tag.isEnd { types[typeName]?.base = tag.attributes["base"] }
      case "choice":
        if tag.isEnd {
          _ = choices.popLast()
        } else {
          choiceCount += 1
          choices.append(choiceCount)
        }
      case "element", "attribute":
        depth += 1
        guard !tag.isEnd, let name = tag.attributes["name"], let type = tag.attributes["type"]
        else { continue }
        if tag.attributes["substitutionGroup"] == "IntuitObject" { objects[name] = type }
        if let typeName {
          types[typeName]?.members.append(
            Member(
              name: name, type: type, isList: tag.attributes["maxOccurs"] == "unbounded",
              choice: choices.last))
        }
      default: break
      }
    }
  }

  private struct Tag {
    var name = ""
    var isEnd = false
    var attributes: [String: String] = [:]
  }

  /// Returns the tags of the schema's own namespace, without comments.
  private static func tags(_ text: String) -> [Tag] {
    var tags: [Tag] = []
    var rest = text.utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: "<!--".utf8) {
        guard let end = Substring(rest).range(of: "-->") else { return tags }
        rest = rest[end.upperBound...]
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return tags }
      if let tag = tag(String(Substring(rest[rest.index(after: start)..<end]))) { tags.append(tag) }
      rest = rest[end...]
    }
    return tags
  }

  private static func tag(_ text: String) -> Tag? {
    var tag = Tag()
    tag.isEnd = text.hasPrefix("/")
    let name = text.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" }
    guard name.hasPrefix("xs:") else { return nil }
    tag.name = String(name.dropFirst(3))
    for match in text.matches(of: /([A-Za-z]+)\s*=\s*"([^"]*)"/) {
      tag.attributes[String(match.1)] = String(match.2)
    }
    return tag
  }
}
