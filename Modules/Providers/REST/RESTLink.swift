import HTTPTypes
import Sync

/// The header field `Link` (RFC 8288).
enum RESTLink {
  static let name = HTTPField.Name("Link")

  /// Returns the target of the first link with the relation `next`; `nil` if there is none.
  static func next(in field: String) -> String? {
    var rest = field[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let target = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      let parameters = parameters(&rest)
      let relations = parameters["rel"]?.split(separator: " ").map { $0.lowercased() } ?? []
      if relations.contains("next") { return String(target) }
    }
    return nil
  }

  /// Reads the parameters of a link, up to the comma before the next one.
  private static func parameters(_ rest: inout Substring) -> [String: String] {
    var found: [String: String] = [:]
    var part = ""
    var isQuoted = false
    func end() {
      let pieces = part.split(separator: "=", maxSplits: 1).map {
        $0.trimming(while: { $0.isWhitespace || $0 == "\"" })
      }
      // The first occurrence of a parameter counts (RFC 8288 section 3.3).
      if pieces.count == 2, found[pieces[0].lowercased()] == nil {
        found[pieces[0].lowercased()] = pieces[1]
      }
      part = ""
    }
    while let character = rest.popFirst() {
      switch character {
      case "\"":
        isQuoted.toggle()
        part.append(character)
      case "," where !isQuoted:
        end()
        return found
      case ";" where !isQuoted: end()
      default: part.append(character)
      }
    }
    end()
    return found
  }
}

extension Substring {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> String {
    var text = self.drop(while: isTrimmed)
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
