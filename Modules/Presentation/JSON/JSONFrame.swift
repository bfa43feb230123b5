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

  /// Appends an element.
  ///
  /// - Parameters:
  ///   - isFirst: true for the first element of the list.
  ///   - add: appends the element as one line.
  package func append(
    isFirst: Bool, to text: inout [UInt8], _ add: (inout [UInt8]) -> Void
  ) {
    if !isFirst { text.append(UInt8(ascii: ",")) }
    guard isPretty else { return add(&text) }
    var line: [UInt8] = []
    add(&line)
    text += "\n    ".utf8 + JSONText.indented(line, level: 2)
  }

  package func end(isEmpty: Bool) -> String {
    guard isPretty else { return #"],"schemaVersion":1}"# + "\n" }
    return (isEmpty ? "" : "\n  ") + "],\n  \"schemaVersion\": 1\n}\n"
  }
}
