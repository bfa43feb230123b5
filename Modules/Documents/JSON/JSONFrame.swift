/// The beginning, the elements and the end of one JSON document with a list, formatted like
/// ``JSONText`` but never held in memory whole.
package struct JSONFrame: Sendable {
  private let name: String
  private let isPretty: Bool

  /// - Parameters:
  ///   - name: the key of the list.
  ///   - isPretty: true to indent the document.
  package init(name: String, isPretty: Bool = false) {
    (self.name, self.isPretty) = (name, isPretty)
  }

  package var beginning: String { isPretty ? "{\n  \"\(name)\": [" : "{\"\(name)\":[" }

  /// - Parameters:
  ///   - json: the element as one line.
  ///   - isFirst: true for the first element of the list.
  package func element(json: [UInt8], isFirst: Bool) -> [UInt8] {
    let separator = (isFirst ? "" : ",") + (isPretty ? "\n    " : "")
    return separator.utf8 + (isPretty ? JSONText.indented(json, level: 2) : json)
  }

  package func end(isEmpty: Bool) -> String {
    guard isPretty else { return #"],"schemaVersion":1}"# + "\n" }
    return (isEmpty ? "" : "\n  ") + "],\n  \"schemaVersion\": 1\n}\n"
  }
}
