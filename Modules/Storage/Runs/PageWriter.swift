import Foundation
import GRDB
import Models

/// Writes one page inside a transaction.
struct PageWriter<Table: RecordTable> {
  private let db: Database
  private let page: PageCommit
  private let sql: RecordSQL
  private let resource: String
  private let sightings: SeenTable

  init(_ db: Database, _ sql: RecordSQL, page: PageCommit, resource: String) {
    self.db = db
    self.sql = sql
    self.page = page
    self.resource = resource
    sightings = SeenTable(isTrial: page.run == nil)
  }

  func write() throws -> PageOutcome {
    guard let run = page.run else { return try tryOut() }
    let account = try accountRow()
    let outcome = try writeRecords(account).outcome
    if let checkpoint = page.checkpoint { try writeCheckpoint(checkpoint, account) }
    try writeCounts(outcome.counts, run)
    return outcome
  }

  /// Does it all, looks at what it did, and takes it back; but for what was seen of the sweep.
  private func tryOut() throws -> PageOutcome {
    var outcome = PageOutcome(isTrial: true)
    var seen: [Int64] = []
    var account: Int64 = 0
    try db.inSavepoint {
      account = try accountRow()
      (outcome, seen) = try writeRecords(account)
      return .rollback
    }
    if page.isSweep {
      let sighting = try sightings.adding(db, account: account, resource: resource)
      for row in seen { try sighting(row) }
    }
    return outcome
  }

  private func writeRecords(_ account: Int64) throws -> (outcome: PageOutcome, seen: [Int64]) {
    var outcome = PageOutcome(isTrial: page.run == nil)
    var seen: [Int64] = []
    var writer = try RecordWriter<Table>(
      db, sql, account: account, instant: page.instant, buffer: page.records.buffer)
    // What a trial has seen is noted when the rest was taken back.
    let sighting =
      try page.isSweep && page.run != nil
      ? sightings.adding(db, account: account, resource: resource) : nil
    func see(_ row: Int64) throws {
      guard page.isSweep else { return }
      if let sighting { try sighting(row) } else { seen.append(row) }
    }
    // What a trial would change it can only tell while both are there.
    var earlier: RecordSnapshot?
    if page.run == nil {
      writer.willUpdate = { earlier = RecordSnapshot(Table.self, row: $0, db) }
    }
    // First, so that one that was deleted and made again is there.
    for removal in page.removals where try writer.remove(removal) != nil {
      outcome.count(.deleted) { RecordChange(id: removal.id, kind: .deleted) }
    }
    for record in page.records.entries {
      earlier = nil
      let (change, row) = try writer.apply(record, isListed: page.isSweep)
      outcome.count(change) {
        let later = earlier.flatMap { _ in RecordSnapshot(Table.self, row: row, db) }
        return RecordChange(
          id: record.id, kind: change,
          fields: earlier.flatMap { earlier in later.map(earlier.changes) } ?? [])
      }
      try see(row)
    }
    try writer.finish()
    // What could not be read is there all the same.
    for id in page.unreadable {
      if let stored = try writer.row(of: id) { try see(stored.row) }
    }
    return (outcome, seen)
  }

  private func writeCheckpoint(_ checkpoint: [UInt8], _ account: Int64) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO checkpoint (account, resource, checkpoint, watermark, is_complete)
        VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET checkpoint = excluded.checkpoint,
          watermark = excluded.watermark, is_complete = excluded.is_complete
        """
    ).execute(arguments: [
      account, resource, Data(checkpoint), page.watermark?.microsecondsSinceEpoch, page.isComplete,
    ])
  }

  private func writeCounts(_ counts: ChangeCounts, _ run: RunID) throws {
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
  }

  private func accountRow() throws -> Int64 {
    try AccountTable(db: db).row(page.account, source: page.source, login: page.login)
  }
}
