import Foundation
import HTTPTypes
import Networking
import Testing

@testable import AppCore

/// The guesses of a proposal for which the names of members alone do not suffice.
@Suite(.timeLimit(.minutes(10))) struct ProposalGuessTests {
  /// Returns a proposal, and its lines without indentation and comments.
  private func proposal(
    _ page: String, at path: String = "invoices", _ headers: [String: String] = [:]
  ) throws -> (yaml: String, lines: [String]) {
    var fields: HTTPFields = [.contentType: "application/json"]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let url = try #require(URL(string: "https://api.acme.example/v1/" + path))
    let proposal = try ProposedDescription(
      name: "acme", page: Array(page.utf8), url: url, fields: fields, scheme: .bearer)
    let completed = proposal.yaml.replacing("# TO COMPLETE: id: PATH", with: "id: status")
    if proposal.missing.allSatisfy({ $0 == "id" }) { _ = try CoreConfiguration(yaml: completed) }
    let lines = proposal.yaml.split(separator: "\n").map {
      $0.split(separator: "  #")[0].trimmingCharacters(in: .whitespaces)
    }
    return (proposal.yaml, lines)
  }

  private static let start = #""id": "a", "status": "open", "currency": "EUR""#

  @Test(
    "a list whose page has fewer rows than stated is read on, and says what is a guess",
    arguments: [
      (
        "invoices", ["X-Total-Count": "66"], "",
        ["count: { header: X-Total-Count }", "paging: { style: page, parameter: page }"], true
      ),
      (
        "invoices?page=1&per_page=1", ["x-total-count": "66", "x-total-pages": "66"], "",
        [
          "count: { header: x-total-count }",
          "paging: { style: page, parameter: page, total: { header: x-total-pages }, "
            + "sizeParameter: per_page, size: 1 }",
        ], false
      ),
      (
        "invoices",
        ["Link": "<https://api.acme.example/v1/invoices?p=2>; rel=\"next\"", "X-Total": "66"], "",
        ["count: { header: X-Total }", "paging: { style: link }"], false
      ),
      (
        "invoices?skip=0", [:], #", "total_count": 66"#,
        ["count: total_count", "paging: { style: offset, parameter: skip }"], true
      ),
      ("invoices", [:], #", "more": true"#, ["paging: { style: page, parameter: page }"], true),
      (
        "invoices", ["X-Total-Count": "1"], "",
        ["count: { header: X-Total-Count }", "paging: { style: none }"], false
      ),
    ] as [(String, [String: String], String, [String], Bool)])
  func statedCount(
    path: String, headers: [String: String], member: String, expected: [String], isWarned: Bool
  ) throws {
    // Without an identifier, a mark of more rows leads to no cursor.
    let row = #"{"number": {"x": 1}, "status": "open", "currency": "EUR", "total": "1.50"}"#
    let (yaml, lines) = try proposal(#"{"data": [\#(row)]\#(member)}"#, at: path, headers)
    for line in expected { #expect(lines.contains(line), "\(line)\n\(yaml)") }
    #expect(yaml.contains("# WARNING: the page ") == isWarned, "\(yaml)")
  }
}
