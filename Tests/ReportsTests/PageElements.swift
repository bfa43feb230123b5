import Foundation
import FoundationXML

/// The elements of a page, read by a strict parser of XML.
final class PageElements: NSObject, XMLParserDelegate {
  private var elements: [(name: String, attributes: [String: String])] = []
  private var isHidden: [Bool] = []
  /// The levels of the headings, in their order.
  private(set) var headings: [Int] = []
  /// For each picture, true if it has a name or is hidden.
  private(set) var pictures: [Bool] = []
  private(set) var tablesWithoutHead = 0

  struct NotWellFormed: Error {
    let line: Int
    let cause: String
  }

  init(_ page: String) throws {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw NotWellFormed(
        line: parser.lineNumber, cause: parser.parserError.map { "\($0)" } ?? "unknown")
    }
  }

  func count(of name: String) -> Int { elements.count { $0.name == name } }
  func values(of attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }
  /// The names of all attributes.
  var names: Set<String> { Set(elements.flatMap(\.attributes.keys)) }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    elements.append((name, attributes))
    let isHere = attributes["aria-hidden"] == "true" || isHidden.last ?? false
    isHidden.append(isHere)
    if name.count == 2, name.hasPrefix("h"), let level = Int(name.dropFirst()) {
      headings.append(level)
    }
    if name == "svg" {
      pictures.append(
        isHere || (attributes["role"] == "img" && attributes["aria-labelledby"] != nil))
    }
    if name == "tbody",
      elements.dropLast().last(where: { ["thead", "table"].contains($0.name) })?
        .name != "thead"
    {
      tablesWithoutHead += 1
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    isHidden.removeLast()
  }
}
