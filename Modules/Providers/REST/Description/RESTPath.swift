package import HTTPTypes
package import JSONReading
import Sync

/// The path of a value in JSON: `amounts.total`, `lines[0].id`, `["a.b"]`, or `.` for the whole.
///
/// In an element of a list, a path that begins with `^` leads through the row that holds the list:
/// `^currency`.
package struct RESTPath: Sendable, Hashable, CustomStringConvertible {
  package enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  /// The key of an element that leads to the row that holds its list.
  package static let parent = "^"

  package let description: String
  package let steps: [Step]
  /// The header field of the response that holds the value, a number; `nil` for a place in JSON.
  package private(set) var header: HTTPField.Name?

  package static let root = RESTPath(description: ".", steps: [])

  private init(description: String, steps: [Step]) {
    self.description = description
    self.steps = steps
  }

  /// Creates the place of a number in a header field; `nil` if no field can have the name.
  package init?(header name: String) {
    guard let header = HTTPField.Name(name) else { return nil }
    self.init(description: name, steps: [])
    self.header = header
  }

  package init?(_ text: String) {
    guard !text.isEmpty, text != "." else {
      self = .root
      return
    }
    var steps: [Step] = []
    var rest = text[...]
    if text.hasPrefix(Self.parent) {
      steps.append(.key(Self.parent))
      rest = rest.dropFirst()
      guard !rest.isEmpty else { return nil }
      // The rest is a path of its own.
      guard let first = Self.bracketed(&rest) ?? Self.plain(&rest, isFirst: true) else {
        return nil
      }
      steps.append(first)
    }
    while !rest.isEmpty {
      guard let step = Self.bracketed(&rest) ?? Self.plain(&rest, isFirst: steps.isEmpty) else {
        return nil
      }
      steps.append(step)
    }
    self.init(description: text, steps: steps)
  }

  private static func bracketed(_ rest: inout Substring) -> Step? {
    guard rest.first == "[" else { return nil }
    let inner = rest.dropFirst()
    if let quote = inner.first, quote == "\"" || quote == "'" {
      guard let end = inner.dropFirst().firstRange(of: "\(quote)]") else { return nil }
      let key = inner.dropFirst()[..<end.lowerBound]
      guard !key.isEmpty else { return nil }
      rest = rest[end.upperBound...]
      return .key(String(key))
    }
    guard let end = inner.firstIndex(of: "]"), let index = Int(inner[..<end]), index >= 0 else {
      return nil
    }
    rest = rest[inner.index(after: end)...]
    return .index(index)
  }

  /// Reads a key up to the next dot or bracket.
  ///
  /// The annotations of OData, such as `@odata.nextLink`, have a dot in their keys.
  private static func plain(_ rest: inout Substring, isFirst: Bool) -> Step? {
    var text = rest
    if !isFirst {
      guard text.first == "." else { return nil }
      text = text.dropFirst()
    }
    let start = text.hasPrefix("@odata.") ? text.dropFirst(7) : text
    let end = start.firstIndex { $0 == "." || $0 == "[" } ?? start.endIndex
    let key = text[..<end]
    guard !start[..<end].isEmpty, !key.contains("]") else { return nil }
    rest = text[end...]
    return .key(String(key))
  }

  package var keys: [String]? {
    var keys: [String] = []
    for step in steps {
      guard case .key(let key) = step else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// True if the path leads through the row that holds the list of an element.
  package var readsParent: Bool { steps.first == .key(Self.parent) }

  func inside(_ step: Step) -> RESTPath? {
    guard let first = steps.first else { return self }
    guard first == step else { return nil }
    return RESTPath(description: description, steps: Array(steps.dropFirst()))
  }

  package func value(in root: JSONValue) -> JSONValue? {
    var value = root
    for step in steps {
      switch (step, value) {
      case (.key(let key), .object(let members)):
        guard let member = members[key] else { return nil }
        value = member
      case (.index(let index), .list(let elements)):
        guard elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}

extension RESTPath.Step: CustomStringConvertible {
  package var description: String {
    switch self {
    case .key(let key): key
    case .index(let index): "[\(index)]"
    }
  }
}

extension JSONValue {
  /// Returns the element of a list with the row that holds it, for paths that begin with `^`.
  func element(of row: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members.set(RESTPath.parent, row)
    return .object(members)
  }
}
