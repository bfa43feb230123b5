import Foundation
import GRDB
package import Models

extension InvoiceDatabase {
  /// Where the sync of an account goes on; `nil` before its first page.
  package func resumption(account: String, resource: String) async throws -> Resumption? {
    try await read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT source, cursor, watermark, is_complete FROM cursor
          JOIN account ON account.row = cursor.account WHERE name = ? AND resource = ?
          """,
        arguments: [account, resource]
      ).map { row in
        Resumption(
          source: row["source"], cursor: Array(row["cursor"] as Data),
          watermark: (row["watermark"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:)),
          isComplete: row["is_complete"])
      }
    }
  }

  /// Notes that a run begins; runs that never ended are noted as interrupted.
  package func beginRun(_ start: RunStart) async throws -> RunID {
    try await write { db in
      try db.execute(
        sql: """
          UPDATE run SET result = 'interrupted', ended_at = ?
          WHERE account_name = ? AND resource = ? AND result = 'running'
          """,
        arguments: [start.startedAt.microsecondsSinceEpoch, start.account, start.resource])
      try db.execute(
        sql: """
          INSERT INTO run (account_name, resource, provider, mode, result, started_at,
            watermark_before, watermark_after) VALUES (?, ?, ?, ?, 'running', ?, ?, ?)
          """,
        arguments: [
          start.account, start.resource, start.provider, start.mode,
          start.startedAt.microsecondsSinceEpoch, start.watermarkBefore?.microsecondsSinceEpoch,
          start.watermarkBefore?.microsecondsSinceEpoch,
        ])
      return RunID(rawValue: db.lastInsertedRowID)
    }
  }

  /// Commits a page in one transaction: rows, lines, deletions, cursor and counts.
  package func commit(_ page: PageCommit, run: RunID) async throws -> ChangeCounts {
    try await write { db in
      let account = try Self.accountRow(of: page, in: db)
      var counts = ChangeCounts()
      var writer = try InvoiceWriter(db, account: account, instant: page.instant)
      for invoice in page.invoices { try writer.apply(invoice, &counts) }
      try db.cachedStatement(
        sql: """
          INSERT INTO cursor (account, resource, cursor, watermark, is_complete)
          VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor,
            watermark = excluded.watermark, is_complete = excluded.is_complete
          """
      ).execute(arguments: [
        account, page.resource, Data(page.cursor), page.watermark?.microsecondsSinceEpoch,
        page.isComplete,
      ])
      try db.cachedStatement(
        sql: """
          UPDATE run SET inserted = inserted + ?, updated = updated + ?,
            unchanged = unchanged + ?, deleted = deleted + ?, pages = pages + 1, requests = ?,
            watermark_after = ? WHERE id = ?
          """
      ).execute(arguments: [
        counts.inserted, counts.updated, counts.unchanged, counts.deleted, page.requests,
        page.watermark?.microsecondsSinceEpoch, run.rawValue,
      ])
      return counts
    }
  }

  /// Notes how a run ended.
  package func endRun(
    _ run: RunID, result: RunRecord.Result, errorCode: String?, watermark: Timestamp?,
    endedAt: Timestamp
  ) async throws {
    try await write { db in
      try db.execute(
        sql: """
          UPDATE run SET result = ?, error_code = ?, watermark_after = ?, ended_at = ? WHERE id = ?
          """,
        arguments: [
          result.rawValue, errorCode, watermark?.microsecondsSinceEpoch,
          endedAt.microsecondsSinceEpoch, run.rawValue,
        ])
    }
  }

  /// The account's row; an account holds the invoices of one organisation for ever.
  private static func accountRow(of page: PageCommit, in db: Database) throws -> Int64 {
    let found = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT row, source FROM account WHERE name = ?"),
      arguments: [page.account])
    guard let found else {
      try db.execute(
        sql: "INSERT INTO account (name, source) VALUES (?, ?)",
        arguments: [page.account, page.source])
      return db.lastInsertedRowID
    }
    let source: String = found["source"]
    guard source == page.source else {
      throw StorageError.sourceMismatch(
        account: page.account, stored: source, offered: page.source)
    }
    return found["row"]
  }
}
