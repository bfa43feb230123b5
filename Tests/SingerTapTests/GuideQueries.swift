import Foundation
import GRDB
import JSONReading
import Testing

@testable import SingerTap

/// The queries that the guide to warehouses shows.
enum GuideQueries {
  /// The guide; empty if it is not there.
  static let guide =
    (try? String(
      contentsOfFile: SingerTarget.root + "Modules/AppCore/AppCore.docc/Warehouses.md",
      encoding: .utf8)) ?? ""

  /// The query of what is owed.
  static var due: String { get throws { try query("SELECT coalesce") } }

  /// Returns the query that joins the rows of a list with their invoices.
  static func join(_ table: String) throws -> String {
    try query("SELECT l.*").replacing("invoice_lines", with: table)
  }

  private static func query(_ start: String) throws -> String {
    String(try code("sql", start).split(separator: ";")[0])
  }

  /// Returns the piece of code of a language that starts so.
  static func code(_ language: String, _ start: String) throws -> String {
    let fence = "```\(language)\n"
    let piece = guide.split(separator: fence + start).dropFirst().first
    return start + (try #require(piece).split(separator: "```")[0])
  }
}

extension TapFixture {
  /// Requires that the guide's join finds, in the tables of a target, the lists of all invoices
  /// that are not deleted.
  func compareGuide(_ target: TapTarget) async throws {
    let exported = try await exported()
    let queue = try DatabaseQueue()
    try await queue.write { db in
      for (table, rows) in target.tables {
        guard let columns = rows.values.first?.values.names else { continue }
        try db.execute(sql: "CREATE TABLE \(table) (\(columns.joined(separator: ", ")))")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        for row in rows.values {
          try db.execute(
            sql: "INSERT INTO \(table) VALUES (\(marks))",
            arguments: StatementArguments(row.values.values.map { $0 == .null ? nil : $0.text }))
        }
      }
      for table in Self.lists.keys {
        let rows = try Row.fetchAll(db, sql: try GuideQueries.join(table))
        let found = Set(rows.compactMap { row in Self.key { row[$0] } })
        let expected = (exported[table] ?? [:]).filter { $0.value["deleted_at"] == .null }
        #expect(found.count == rows.count && !rows.isEmpty)
        #expect(found == Set(expected.keys), "\(table)")
      }
    }
  }
}

extension JSONValue {
  /// The value as a database shows it.
  fileprivate var text: String { word ?? json }
}
