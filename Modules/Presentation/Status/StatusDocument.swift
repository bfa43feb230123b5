import AppCore
import Authentication
import Foundation
import Models
import Networking
import Providers
import Storage
import SystemSupport

/// The document that `appcore status` prints.
package struct StatusDocument: Encodable {
  let schemaVersion = 1
  let accounts: [Account]
  /// The accounts that are not configured any more and hold records.
  let removed: [Removed]
  let database: String
  let databaseExists: Bool
  let keyring: String
  let configuration: String

  package init(_ report: StatusReport) {
    accounts = report.accounts.map {
      Account($0.state, invoices: $0.invoices, showsRuns: report.showsRuns)
    }
    removed = report.removed.map {
      Removed(
        name: $0.name, invoices: $0.invoices, payments: $0.payments, contacts: $0.contacts)
    }
    database = report.database
    databaseExists = report.databaseExists
    keyring = report.keyring
    configuration = report.configuration
  }

  struct Removed: Encodable {
    let name: String
    let invoices: Int
    let payments: Int
    let contacts: Int
  }

  struct Account: Encodable {
    let name: String
    /// The name of the organisation whose records the account holds.
    let organisationName: Nullable<String>
    let provider: Nullable<String>
    /// `production`, or `sandbox` for the provider's servers with made-up books.
    let environment: String
    /// True if the records are made up: those of a sandbox, or of a test key.
    let isTestData: Bool
    /// `signed-out`, `valid`, `expired`, `rejected`, or `unknown` if the login cannot be read.
    let login: String
    /// The account whose login this one uses; `null` for one with a login of its own.
    let sharedLogin: Nullable<String>
    let expiresAt: Nullable<Timestamp>
    /// The end of a login that cannot be renewed; absent for one that can.
    let endsAt: Timestamp?
    /// The server's words at its last refusal of the login; absent if there was none.
    let providerMessage: String?
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
    /// The end of the last complete sync of each resource that had one.
    let completeAt: [String: Timestamp]
    /// The resources whose last complete sync is longer ago than `sync.maximumAge`.
    let old: [String]
    /// The number of records of each resource that are not deleted; void invoices count.
    let stored: [String: Int]
    /// The number of records of each resource that the provider lists and that cannot be read.
    let unreadable: [String: Int]
    /// The last runs of each resource, the newest first; with `--runs` only.
    let runs: [String: [LastSync]]?
    /// True if the user has to sign in, to correct something, or to find out why data is old.
    let needsUser: Bool
    /// The reason why the account's configuration cannot be used.
    let problem: Nullable<String>

    init(_ state: AccountState, invoices: Int, showsRuns: Bool) {
      let login = state.login
      name = state.name
      organisationName = Nullable(state.organisationName)
      provider = Nullable(state.provider)
      environment = state.environment.rawValue
      isTestData = state.isTestData
      self.login = login?.state.rawValue ?? "unknown"
      sharedLogin = Nullable(state.sharedLogin)
      expiresAt = Nullable(login?.expiresAt.map { Timestamp($0).truncatedToSecond })
      endsAt = login?.endsAt.map { Timestamp($0).truncatedToSecond }
      providerMessage = login?.providerMessage?.text
      scopes = login?.scopes ?? []
      generation = Nullable(login?.generation)
      clockSkewSeconds = Nullable(login?.clockSkew.map { Int(clamping: $0) })
      lastOutcome = Nullable(
        login?.lastOutcome.map { $0.sentence.text { "\($0.truncatedToSecond)" } })
      lockHolder = Nullable(login?.lockHolder)
      self.invoices = invoices
      let all = state.syncs.map { sync in
        (sync.resource.rawValue, sync.runs.map(LastSync.init))
      }
      lastSyncs = Dictionary(
        uniqueKeysWithValues: all.compactMap { name, runs in runs.first.map { (name, $0) } })
      lastSync = Nullable(lastSyncs[Resource.invoices.rawValue])
      completeAt = Dictionary(
        uniqueKeysWithValues: state.syncs.compactMap { sync in
          sync.completeAt.map { (sync.resource.rawValue, $0) }
        })
      old = state.syncs.filter(\.isOld).map(\.resource.rawValue)
      stored = Dictionary(
        uniqueKeysWithValues: state.syncs.map { ($0.resource.rawValue, $0.stored) })
      unreadable = Dictionary(
        uniqueKeysWithValues: state.syncs.map { ($0.resource.rawValue, $0.unreadableCount) })
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
