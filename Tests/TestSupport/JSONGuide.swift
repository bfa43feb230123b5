import Foundation

/// The guide to the JSON documents, `JSONDocuments.md`: which command prints which document, and
/// the members of each.
public struct JSONGuide: Sendable {
  /// A row of a table.
  public struct Member: Sendable {
    /// The name of the member.
    public let name: String
    /// The type in the words of the guide, such as `array of Line`.
    public let type: String
    /// True if documents may lack the member.
    public let isOptional: Bool
  }

  /// The members of each object, by the name that the guide gives it.
  public let objects: [String: [Member]]
  /// The words of each command, and the name of its document.
  private let commands: [(words: [String], document: String)]

  /// Reads the guide.
  ///
  /// - Throws: the error of Foundation if the file cannot be read.
  public init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = root.appending(path: "Modules/AppCore/AppCore.docc/JSONDocuments.md")
    var objects: [String: [Member]] = [:]
    var commands: [(words: [String], document: String)] = []
    var object: String?
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") {
        object = line.hasPrefix("### ") ? String(line.dropFirst(4)) : nil
        if let object { objects[object] = [] }
      }
      guard line.hasPrefix("| ") else { continue }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3 else { continue }
      let name = cells[0].trimmingCharacters(in: ["`"])
      if let object, cells[0].hasPrefix("`") {
        objects[object, default: []].append(Self.member(name, cells[1]))
      } else if object == nil, cells[0].hasPrefix("`") {
        let words = name.split(separator: " ").map(String.init)
        commands.append((words, String(cells[2].prefix { $0.isLetter })))
      }
    }
    (self.objects, self.commands) = (objects, commands)
  }

  private static func member(_ name: String, _ type: String) -> Member {
    let isOptional = type.hasSuffix(", optional")
    return Member(
      name: name, type: isOptional ? String(type.dropLast(", optional".count)) : type,
      isOptional: isOptional)
  }

  /// Returns the name of the document that a command prints; `nil` if the guide has none.
  public func document(ofCommand command: String) -> String? {
    let typed = command.split(separator: " ").map(String.init)
    let fitting = commands.filter { entry in
      var rest = typed[...]
      return entry.words.allSatisfy { word in
        guard let index = rest.firstIndex(of: word) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
    }
    return fitting.max { $0.words.count < $1.words.count }?.document
  }
}
