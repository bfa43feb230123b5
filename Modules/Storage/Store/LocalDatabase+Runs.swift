import GRDB
public import Models

extension LocalDatabase {
  /// Returns the latest run of a sync.
  ///
  /// - Throws: ``StorageError``.
  public func lastRun(account: String, resource: Resource) async throws -> RunRecord? {
    try await runs(account: account, resource: resource, limit: 1).first
  }

  /// Returns the latest runs of a sync, the newest first.
  ///
  /// - Throws: ``StorageError``.
  public func runs(
    account: String, resource: Resource, limit: Int
  ) async throws -> [RunRecord] {
    try await read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT * FROM run WHERE account_name = ? AND resource = ? ORDER BY id DESC LIMIT ?
            """),
        arguments: [account, resource.rawValue, limit]
      ).map(RunRecord.init)
    }
  }

  /// Returns the number of records of an account that the provider still lists.
  ///
  /// - Throws: ``StorageError``.
  public func listedCount(of resource: Resource, account: String) async throws -> Int {
    let (table, condition) =
      switch resource {
      case .invoices: ("invoice", "AND status <> 'deleted'")
      case .contacts: ("contact", "")
      }
    return try await read { db in
      try Int.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) FROM \(table)
            WHERE account = (SELECT row FROM account WHERE name = ?) AND deleted_at IS NULL
              \(condition)
            """), arguments: [account]) ?? 0
    }
  }
}

extension RunRecord {
  fileprivate init(_ row: Row) {
    var counts = ChangeCounts()
    counts.inserted = row["inserted"]
    counts.updated = row["updated"]
    counts.unchanged = row["unchanged"]
    counts.deleted = row["deleted"]
    func instant(_ column: String) -> Timestamp? {
      (row[column] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:))
    }
    self.init(
      result: RunRecord.Result(rawValue: row["result"]) ?? .died, provider: row["provider"],
      startedAt: Timestamp(microsecondsSinceEpoch: row["started_at"]),
      endedAt: instant("ended_at"), counts: counts, pages: row["pages"],
      errorCode: RunRecord.present(row["error_code"]), cause: row["cause"],
      retryAt: instant("retry_at"),
      watermarkBefore: instant("watermark_before"), watermarkAfter: instant("watermark_after"))
  }
}
