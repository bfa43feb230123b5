import AppCore
import Authentication
import Foundation
import Models
import Storage
import Sync

/// The document that `appcore status` prints.
struct StatusDocument: Encodable {
  let schemaVersion = 1
  let accounts: [Account]
  let database: String
  let databaseExists: Bool
  let keyring: String
  /// The path of the configuration file, which may be absent.
  let configuration: String

  struct Account: Encodable {
    let name: String
    let provider: Nullable<String>
    /// `signed-out`, `valid`, `expired`, `rejected`, or `unknown` if the login cannot be read.
    let login: String
    let expiresAt: Nullable<Timestamp>
    let scopes: [String]
    /// The generation of the tokens, which grows with every renewal.
    let generation: Nullable<UInt64>
    /// The server's clock minus this machine's, in seconds.
    let clockSkewSeconds: Nullable<Int>
    /// The outcome of the last renewal or sign-in.
    let lastOutcome: Nullable<String>
    /// The id of the process that is renewing now.
    let lockHolder: Nullable<Int32>
    /// The number of invoices, void and deleted ones included.
    let invoices: Int
    /// The last sync of invoices.
    let lastSync: Nullable<LastSync>
    /// The last sync of each resource that was synced.
    let lastSyncs: [String: LastSync]
    /// The number of records of each resource that the provider still lists.
    let stored: [String: Int]
    /// The last runs of each resource, the newest first; with `--runs` only.
    let runs: [String: [LastSync]]?
    /// True if the user has to sign in or to correct something.
    let needsUser: Bool
    /// The reason why the account's configuration cannot be used.
    let problem: Nullable<String>
    /// The outcome of the last renewal, for the text.
    let outcome: AccountStatus.Outcome?

    private enum CodingKeys: CodingKey {
      case name, provider, login, expiresAt, scopes, generation, clockSkewSeconds, lastOutcome
      case lockHolder, invoices, lastSync, lastSyncs, stored, runs, needsUser, problem
    }

    init(_ state: AccountState, invoices: Int, showsRuns: Bool) {
      let login = state.login
      name = state.name
      provider = Nullable(state.provider)
      self.login = login?.state.rawValue ?? "unknown"
      expiresAt = Nullable(login?.expiresAt.map { Timestamp($0).truncatedToSecond })
      scopes = login?.scopes ?? []
      generation = Nullable(login?.generation)
      clockSkewSeconds = Nullable(login?.clockSkew.map { Int($0.rounded()) })
      outcome = login?.lastOutcome
      lastOutcome = Nullable(
        login?.lastOutcome.map { StatusText.text(of: $0) { "\($0.truncatedToSecond)" } })
      lockHolder = Nullable(login?.lockHolder)
      self.invoices = invoices
      let all = state.syncs.map { sync in
        (sync.resource.rawValue, sync.runs.map(LastSync.init))
      }
      lastSyncs = Dictionary(
        uniqueKeysWithValues: all.compactMap { name, runs in runs.first.map { (name, $0) } })
      lastSync = Nullable(lastSyncs[Resource.invoices.rawValue])
      stored = Dictionary(
        uniqueKeysWithValues: state.syncs.map { ($0.resource.rawValue, $0.stored) })
      runs = showsRuns ? Dictionary(uniqueKeysWithValues: all) : nil
      needsUser = state.needsUser
      problem = Nullable(state.problem?.description)
    }
  }

  struct LastSync: Encodable {
    /// `running`, `complete`, `partial`, `failed` or `interrupted`.
    let result: String
    let startedAt: Timestamp
    let endedAt: Nullable<Timestamp>
    let watermark: Nullable<Timestamp>
    /// Like `result`, and `died` if the process was killed.
    let state: String
    /// The number of records that the run read.
    let records: Int
    let inserted: Int
    let updated: Int
    let deleted: Int
    /// The stable code of the reason why the run is partial or failed.
    let errorCode: Nullable<String>
    let cause: Nullable<String>
    let retryAt: Nullable<Timestamp>

    init(_ run: SyncState.RecordedRun) {
      let (record, counts) = (run.record, run.record.counts)
      state = run.state.rawValue
      // Earlier versions of this document knew no run that died.
      result = run.state == .died ? SyncState.Run.interrupted.rawValue : state
      startedAt = record.startedAt
      endedAt = Nullable(record.endedAt)
      watermark = Nullable(record.watermarkAfter)
      records = counts.inserted + counts.updated + counts.unchanged + counts.deleted
      inserted = counts.inserted
      updated = counts.updated
      deleted = counts.deleted
      errorCode = Nullable(record.errorCode)
      cause = Nullable(record.cause)
      retryAt = Nullable(record.retryAt)
    }
  }
}
