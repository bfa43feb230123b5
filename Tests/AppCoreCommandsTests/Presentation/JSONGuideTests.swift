import Foundation
import TestSupport
import Testing

/// The guide to the JSON documents has every member that the recorded documents have.
@Suite(.timeLimit(.minutes(1))) struct JSONGuideTests {
  private struct Recorded {
    let command: String
    let isFailure: Bool
    let value: JSONTree
  }

  /// The documents of the recorded sessions, with a number in the place of each mask.
  private static func recorded() throws -> [Recorded] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "JSONDocuments")
    return try JSONSession.all.flatMap { session in
      let file = folder.appending(path: session.name + ".txt")
      return try String(contentsOf: file, encoding: .utf8)
        .replacing(#/"\w+": (SECONDS|GENERATION)/#) {
          $0.output.0.replacing($0.output.1, with: "1")
        }
        .split(separator: "$ appcore ").flatMap(documents)
    }
  }

  /// The documents of one command: each begins and ends with a brace that is not indented.
  private static func documents(of step: Substring) throws -> [Recorded] {
    let lines = step.split(separator: "\n")
    let command = String(lines.first ?? "")
    return try step.matches(of: #/(?m)^\{\n(.*\n)*?\}$/#).map { match in
      let value = try JSONDecoder().decode(JSONTree.self, from: Data(match.output.0.utf8))
      guard case .object(let members) = value else { throw CocoaError(.coderInvalidValue) }
      return Recorded(command: command, isFailure: members["error"] != nil, value: value)
    }
  }

  @Test("every recorded document has the members of the guide, and no other")
  func members() throws {
    let guide = try JSONGuide()
    let recorded = try Self.recorded()
    #expect(recorded.count > 60)
    for document in recorded {
      let name = document.isFailure ? "Failures" : guide.document(ofCommand: document.command)
      let found = try #require(name, "the guide lacks the command \(document.command)")
      let differences = guide.differences(of: document.value, from: found, at: found)
      #expect(differences.isEmpty, "\(document.command): \(differences)")
    }
  }

  @Test("every object that the guide names has a table")
  func types() throws {
    let guide = try JSONGuide()
    #expect(guide.objects.count > 40 && guide.objects.values.allSatisfy { !$0.isEmpty })
    for (name, members) in guide.objects {
      for member in members {
        let type = member.type.replacing(#/^(array of |map of )+| or null$/#, with: "")
        let isKnown = ["text", "amount", "day", "instant", "number", "flag"].contains(type)
        #expect(isKnown || guide.objects[type] != nil, "\(name).\(member.name): \(member.type)")
      }
    }
  }
}
