import JSONReading
import Sync

extension JSONValue {
  /// Returns a short summary of the value: a text of at most so many characters, a word, or the
  /// kind of the value.
  func summary(characters: Int = 80) -> String {
    switch self {
    case .text(let text):
      text.count <= characters ? "\"\(text)\"" : "\"\(text.prefix(characters))…\""
    case .number, .bool: word ?? ""
    case .null: "null"
    case .list(let elements): "a list of \(elements.count)"
    case .object: "an object"
    case .unreadable(let reason): reason
    }
  }
}
