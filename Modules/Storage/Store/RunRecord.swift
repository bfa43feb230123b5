public import ErrorCodes
public import Foundation
import GRDB
public import Models

/// The record of a run.
public struct RunRecord: Sendable {
  /// The ways in which a run ends.
  public enum Result: String, Sendable, Codable {
    /// The run has not ended.
    case running
    /// The run reached the end.
    case complete
    /// The run ended in order, but did not store everything.
    case partial
    /// An error ended the run.
    case failed
    /// The user, or the system, asked the run to stop.
    case interrupted
    /// The process was killed, or the machine went down.
    case died
  }

  /// The way in which the run ended.
  public let result: Result
  /// The provider's name.
  public let provider: String
  /// The time at which the run began.
  public let startedAt: Timestamp
  /// The time at which the run ended.
  public let endedAt: Timestamp?
  /// The number of records that the run changed.
  public let counts: ChangeCounts
  /// The number of pages that the run stored.
  public let pages: Int
  /// The reason why the run is partial or failed: the code of an error, such as `rate-limited`, or
  /// `unreadable`, `duration`, `limit` or `continued`; one that a later version stored is kept.
  public let errorCode: String?
  /// The cause of a failed run, in a sentence without secrets.
  public let cause: String?
  /// The time from which the server, or its published limit, allows another try.
  public let retryAt: Timestamp?
  /// The newest change before the run.
  public let watermarkBefore: Timestamp?
  /// The newest change after the run.
  public let watermarkAfter: Timestamp?

  /// The code of the error that ended the run; `nil` if there is none, or this version does not
  /// know it.
  public var code: ErrorCode? { errorCode.flatMap(ErrorCode.init(rawValue:)) }

  /// True if no later run succeeds before the user has signed in or corrected something.
  public var needsUser: Bool { result == .failed && code?.needsUser == true }

  /// Returns the present form of a stored code: earlier versions wrote `rate-limit`.
  static func present(_ code: String?) -> String? {
    code == "rate-limit" ? ErrorCode.rateLimited.rawValue : code
  }
}

/// The kinds of runs, by what they read.
package enum RunKind: String, Sendable {
  /// Everything.
  case full
  /// The changes, and then everything.
  case verify
  /// The changes since the last run.
  case incremental
  /// The changes since a time that the user names.
  case since
}

/// The record of a run when it begins.
package struct RunStart: Sendable {
  let account: String
  let provider: String
  let kind: RunKind
  let startedAt: Timestamp
  let watermarkBefore: Timestamp?

  package init(
    account: String, provider: String, kind: RunKind, startedAt: Timestamp,
    watermarkBefore: Timestamp?
  ) {
    self.account = account
    self.provider = provider
    self.kind = kind
    self.startedAt = startedAt
    self.watermarkBefore = watermarkBefore
  }
}

/// The record of a run when it has ended.
package struct RunEnd: Sendable {
  let result: RunRecord.Result
  let errorCode: String?
  let cause: String?
  let retryAt: Timestamp?
  let watermark: Timestamp?
  let requests: Int
  let endedAt: Timestamp
  /// The sign-in, as ``AccountOwner/login``; `nil` if no request was sent.
  let login: String?
  /// True if the report of the run names the unreadable records.
  let reportsUnreadable: Bool

  package init(
    result: RunRecord.Result, errorCode: String? = nil, cause: String? = nil,
    retryAt: Timestamp? = nil, watermark: Timestamp?, requests: Int, endedAt: Timestamp,
    login: String? = nil, reportsUnreadable: Bool = false
  ) {
    self.login = login
    self.reportsUnreadable = reportsUnreadable
    self.result = result
    self.errorCode = errorCode
    self.cause = cause
    self.retryAt = retryAt
    self.watermark = watermark
    self.requests = requests
    self.endedAt = endedAt
  }
}

extension LocalDatabase {
  /// Returns the latest run of a sync.
  ///
  /// - Throws: ``StorageError``.
  public func lastRun(account: String, resource: Resource) async throws -> RunRecord? {
    try await runs(account: account, resource: resource, limit: 1).first
  }

  /// Returns the latest runs of a sync, the newest first.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - resource: the resource.
  ///   - provider: the provider's name; `nil` for any, which an account of the same name may have
  ///     in another configuration.
  ///   - limit: the largest number of runs.
  /// - Throws: ``StorageError``.
  public func runs(
    account: String, resource: Resource, provider: String? = nil, limit: Int
  ) async throws -> [RunRecord] {
    try await read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT * FROM run
            WHERE account_name = ? AND resource = ? AND provider = coalesce(?, provider)
            ORDER BY id DESC LIMIT ?
            """),
        arguments: [account, resource.rawValue, provider, limit]
      ).map(RunRecord.init)
    }
  }

  /// Returns whether the latest run of a sync failed as the one before it, by the same sign-in.
  ///
  /// - Throws: ``StorageError``.
  package func repeatsFailure(account: String, resource: Resource) async throws -> Bool {
    try await read { db in
      try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) = 2 AND count(DISTINCT error_code) = 1 AND count(DISTINCT login) = 1
                AND min(result = 'failed' AND login IS NOT NULL)
            FROM (SELECT result, error_code, login FROM run
              WHERE account_name = ? AND resource = ? ORDER BY id DESC LIMIT 2)
            """), arguments: [account, resource.rawValue]) ?? false
    }
  }

  /// Returns whether anything is known of a resource: one of the accounts has a record, or a run
  /// that ended completely and found none.
  ///
  /// - Throws: ``StorageError``.
  public func knows(_ resource: Resource, accounts: [String]) async throws -> Bool {
    let table = resource.kind.table
    let names = accounts.map { _ in "?" }.joined(separator: ", ")
    return try await read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM \(table) JOIN account ON account.row = \(table).account
              WHERE account.name IN (\(names)))
            OR EXISTS (SELECT 1 FROM run
              WHERE resource = ? AND result = 'complete' AND account_name IN (\(names)))
          """, arguments: StatementArguments(accounts + [resource.rawValue] + accounts)) ?? false
    }
  }

  /// Returns the number of records of an account that the provider still lists.
  ///
  /// - Throws: ``StorageError``.
  public func listedCount(of resource: Resource, account: String) async throws -> Int {
    try await read { db in
      try Int.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) FROM \(resource.kind.table)
            WHERE account = (SELECT row FROM account WHERE name = ?) AND deleted_at IS NULL
              AND \(resource.isListed) AND \(resource.kind.isVisible)
            """), arguments: [account]) ?? 0
    }
  }

  /// Returns the provider's words for statuses that appcore does not know, with the number of
  /// listed records that have each, the most frequent first.
  package func unknownStatuses(
    of resource: Resource, account: String
  ) async throws -> [UnknownStatus] {
    try await read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT raw_status, count(*) AS count FROM \(resource.kind.table)
            WHERE account = (SELECT row FROM account WHERE name = ?) AND status = 'unknown'
              AND raw_status <> '' AND deleted_at IS NULL
              AND \(resource.isListed) AND \(resource.kind.isVisible)
            GROUP BY raw_status ORDER BY count DESC, raw_status
            """), arguments: [account]
      ).map { UnknownStatus(word: $0["raw_status"], count: $0["count"]) }
    }
  }
}

/// A provider's word for a status that appcore does not know.
package struct UnknownStatus: Sendable, Equatable {
  /// The provider's word.
  package let word: String
  /// The number of records that have it.
  package let count: Int
}

/// The age of the stored records of a resource.
public struct RecordAge: Sendable, Equatable {
  /// The end of the last complete run; `nil` if none was complete.
  public let completeAt: Timestamp?
  /// The beginning of the first run.
  public let begunAt: Timestamp

  init(_ row: Row) {
    completeAt = (row["complete_at"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:))
    begunAt = Timestamp(microsecondsSinceEpoch: row["started_at"])
  }

  /// Returns true if the last complete run, or else the first attempt, is longer ago than an age.
  ///
  /// - Parameters:
  ///   - age: the age; `nil` for any.
  ///   - now: the time to compare with.
  public func isOlder(than age: Duration?, at now: Date = Date()) -> Bool {
    guard let age else { return false }
    return now.timeIntervalSince((completeAt ?? begunAt).date) > age / .seconds(1)
  }
}

extension RunRecord {
  init(_ row: Row) {
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
