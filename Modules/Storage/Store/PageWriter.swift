import Foundation
import GRDB
public import Models

/// Writes one page inside a transaction.
struct PageWriter<Table: RecordTable> {
  private let db: Database
  private let page: PendingPage
  private let run: RunScope
  private let sql: RecordSQL
  private let seen: SeenTable

  init(_ db: Database, _ sql: RecordSQL, page: PendingPage, run: RunScope) {
    self.db = db
    self.sql = sql
    self.page = page
    self.run = run
    seen = SeenTable(db, of: run, in: Table.name)
  }

  func write() throws -> PageChanges {
    guard case .stored(let id) = run.mode else { return try dryRun() }
    let account = try accountRow()
    let changes = try writeRecords(account).changes
    if let checkpoint = page.checkpoint {
      let isComplete = page.isComplete && changes.newlyUnreadable == 0
      try writeCheckpoint(checkpoint, isComplete: isComplete, account)
    }
    try writeCounts(changes.counts, id)
    return changes
  }

  /// Writes the records into a savepoint and rolls it back; rows that the sweep has seen stay
  /// marked.
  private func dryRun() throws -> PageChanges {
    var changes = PageChanges(isDryRun: true)
    var rows: [Int64] = []
    var account: Int64 = 0
    // Outside the savepoint, or each page would create it.
    _ = try IdentifierIndex(db, Table.identifiers, nil)
    try db.inSavepoint {
      account = try accountRow()
      (changes, rows) = try writeRecords(account)
      return .rollback
    }
    if page.isSweep {
      let mark = try seen.marking(account: account)
      for row in rows { try mark(row) }
    }
    return changes
  }

  /// Writes the removals and the records of the page.
  ///
  /// - Returns: the changes, and the rows that a dry run has seen.
  private func writeRecords(_ account: Int64) throws -> (changes: PageChanges, seen: [Int64]) {
    var changes = PageChanges(isDryRun: run.isDryRun)
    var rows: [Int64] = []
    let counter = ChangeCounter(db: db)
    let number = try counter.last() + 1
    var writer = try RecordWriter<Table>(
      db, sql, account: account, resource: run.resource, instant: page.instant, change: number,
      buffer: page.records.buffer, firstPass: run.firstPass)
    // A dry run notes what it has seen after the savepoint is rolled back.
    let mark = try page.isSweep && !run.isDryRun ? seen.marking(account: account) : nil
    func see(_ row: Int64, isNew: Bool = false) throws {
      guard page.isSweep else { return }
      // The row of a new record is rolled back.
      if let mark { try mark(row) } else if !isNew { rows.append(row) }
    }
    // A dry run reports the fields that would change, for which it needs the row before and after.
    var earlier: RecordSnapshot?
    if run.isDryRun {
      writer.willUpdate = { earlier = RecordSnapshot(Table.self, row: $0, db) }
    }
    // Removals come first, so that a record that was deleted and created again stays.
    for removal in page.removals {
      guard let row = try writer.remove(removal) else { continue }
      // The list has it, marked as deleted: the end of a sweep must not count it again.
      try see(row)
      changes.count(.deleted) {
        RecordChange(
          id: removal.id, kind: .deleted, of: RecordSnapshot(Table.self, row: row, db))
      }
    }
    for record in page.records.entries {
      earlier = nil
      let (change, row) = try writer.apply(record, isListed: page.isSweep)
      changes.count(change) {
        let later = RecordSnapshot(Table.self, row: row, db)
        return RecordChange(
          id: record.id, kind: change,
          fields: earlier.flatMap { earlier in later.map(earlier.changes) } ?? [], of: later)
      }
      try see(row, isNew: change == .inserted)
    }
    if changes.counts.hasChanges { try counter.advance(to: number) }
    // A record that could not be read still exists.
    for unread in page.unreadable {
      if let stored = try writer.row(of: unread.id) { try see(stored.row) }
    }
    changes.newlyUnreadable = try UnreadableTable(db, of: run).update(account, after: page)
    return (changes, rows)
  }

  private func writeCheckpoint(
    _ checkpoint: [UInt8], isComplete: Bool, _ account: Int64
  ) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO checkpoint (account, resource, checkpoint, watermark, is_complete)
        VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET checkpoint = excluded.checkpoint,
          watermark = excluded.watermark, is_complete = excluded.is_complete
        """
    ).execute(arguments: [
      account, run.name, Data(checkpoint), page.watermark?.microsecondsSinceEpoch,
      isComplete,
    ])
  }

  private func writeCounts(_ counts: ChangeCounts, _ id: RunID) throws {
    try db.cachedStatement(
      sql: """
        UPDATE run SET inserted = inserted + ?, updated = updated + ?,
          unchanged = unchanged + ?, deleted = deleted + ?, pages = pages + 1,
          watermark_after = ? WHERE id = ?
        """
    ).execute(arguments: [
      counts.inserted, counts.updated, counts.unchanged, counts.deleted,
      page.watermark?.microsecondsSinceEpoch, id.rawValue,
    ])
  }

  private func accountRow() throws -> Int64 {
    try AccountTable(db: db).row(run.account, of: page, resource: run.resource)
  }
}

/// A page that was read but is not stored yet.
///
/// Its records, deletions and checkpoint are committed in one transaction.
package struct PendingPage: Sendable {
  /// The organisation whose records these are; see ``Resumption/source``.
  package let source: String
  /// The sign-in with which the page was read, as ``AccountOwner/login``; `nil` keeps the stored
  /// one.
  package var login: String?
  /// The addresses of the provider's lists, as ``AccountOwner/addresses``.
  package var addresses: [Resource: String] = [:]
  /// The time that is recorded with the stored rows.
  package var instant: Timestamp
  /// The records.
  package var records = EncodedRecords()
  /// The records that the server says are deleted.
  package var removals: [Removal] = []
  /// The records that exist but could not be read.
  package var unreadable: [UnreadableRow] = []
  /// The number of records that could not be read, including those without an identifier.
  package var failureCount = 0
  /// True if the page is part of a complete sweep, so that its records are marked as seen.
  package var isSweep = false
  /// The checkpoint at which a later run resumes; `nil` keeps the stored one.
  package var checkpoint: [UInt8]?
  /// The newest change on the page.
  package var newest: Timestamp?
  /// The newest change that is known once the page is stored.
  package var watermark: Timestamp?
  /// True if a pass through the changes is complete with this page, unless a record of it could not
  /// be read for the first time.
  package var isComplete = false

  /// Creates a page without records.
  package init(source: String, instant: Timestamp) {
    self.source = source
    self.instant = instant
  }
}

/// A record that the server says is deleted.
public struct Removal: Sendable, Hashable {
  /// The record's identifier.
  public let id: String
  /// The server's statement, such as `status DELETED`.
  public let reason: String
  /// The time of the deletion; `nil` if the server does not state it.
  ///
  /// A record that has changed since then was created again.
  public let instant: Timestamp?

  /// Creates a removal.
  public init(id: String, reason: String, at instant: Timestamp? = nil) {
    self.id = id
    self.reason = reason
    self.instant = instant
  }
}

/// A record as a list of versions names it.
public struct RecordVersion: Sendable, Hashable {
  /// The record's identifier.
  public let id: String
  /// The record's own version, or the time of its last change in microseconds since 1970; `nil` if
  /// neither is known.
  ///
  /// A record that is stored in the same version is not fetched again.
  public let order: Int64?

  /// Creates a version.
  public init(id: String, order: Int64?) {
    self.id = id
    self.order = order
  }
}
