package import JSONReading
import Sync

/// The path of a value in JSON: `amounts.total`, `lines[0].id`, or `.` for the whole.
package struct RESTPath: Sendable, Hashable, CustomStringConvertible {
  private enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  /// The path as the user wrote it.
  package let description: String
  private let steps: [Step]

  /// The path of the whole value.
  package static let root = RESTPath(description: ".", steps: [])

  private init(description: String, steps: [Step]) {
    self.description = description
    self.steps = steps
  }

  /// Parses a path; returns `nil` if the text is not one.
  package init?(_ text: String) {
    guard !text.isEmpty, text != "." else {
      self = .root
      return
    }
    var found: [Step] = []
    for (number, part) in text.split(separator: ".", omittingEmptySubsequences: false).enumerated()
    {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      let key = pieces.first ?? ""
      // A list at the root has no key before its index.
      guard !key.isEmpty || (number == 0 && pieces.count > 1), !key.contains("]") else {
        return nil
      }
      if !key.isEmpty { found.append(.key(String(key))) }
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let index = Int(piece.dropLast()), index >= 0 else { return nil }
        found.append(.index(index))
      }
    }
    self.init(description: text, steps: found)
  }

  /// The keys of the path; `nil` if the path contains an index.
  package var keys: [String]? {
    var keys: [String] = []
    for step in steps {
      guard case .key(let key) = step else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// Returns the value at the path; `nil` if there is none.
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
