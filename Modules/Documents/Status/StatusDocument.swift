package import AppCore
package import Authentication
import Foundation
package import Models
import Networking
import Providers
package import Storage
import Sync
import SystemSupport

/// The document that `appcore status` prints.
package struct StatusDocument: Encodable {
  let schemaVersion = 1
  package let accounts: [Account]
  package let database: String
  package let databaseExists: Bool
  package let keyring: String
  /// The hint that makes the store of logins available, for the text; `nil` if it is.
  package let keyringHint: Hint?
  /// The path of the configuration file, which may be absent.
  package let configuration: String

  private enum CodingKeys: CodingKey {
    case schemaVersion, accounts, database, databaseExists, keyring, configuration
  }

  package struct Account: Encodable {
    package let name: String
    package let provider: Nullable<String>
    /// `production`, or `sandbox` for the provider's servers with made-up books.
    package let environment: String
    /// `signed-out`, `valid`, `expired`, `rejected`, or `unknown` if the login cannot be read.
    package let login: String
    /// The account whose login this one uses; `null` for one with a login of its own.
    package let sharedLogin: Nullable<String>
    package let expiresAt: Nullable<Timestamp>
    /// The end of a login that cannot be renewed; absent for one that can.
    package let endsAt: Timestamp?
    /// The server's words at its last refusal of the login; absent if there was none.
    package let providerMessage: String?
    let scopes: [String]
    /// The generation of the tokens, which grows with every renewal.
    let generation: Nullable<UInt64>
    /// The server's clock minus this machine's, in seconds.
    package let clockSkewSeconds: Nullable<Int>
    /// The outcome of the last renewal or sign-in.
    let lastOutcome: Nullable<String>
    /// The id of the process that is renewing now.
    package let lockHolder: Nullable<Int32>
    /// The number of invoices, void and deleted ones included.
    let invoices: Int
    /// The last sync of invoices.
    let lastSync: Nullable<LastSync>
    /// The last sync of each resource that was synced.
    package let lastSyncs: [String: LastSync]
    /// The number of records of each resource that are not deleted; void invoices count.
    package let stored: [String: Int]
    /// The number of records of each resource that the provider lists and that cannot be read.
    package let unreadable: [String: Int]
    /// The first unreadable records of each resource, for the text.
    package let unreadableRecords: [String: [UnreadableRecord]]
    /// The last runs of each resource, the newest first; with `--runs` only.
    package let runs: [String: [LastSync]]?
    /// True if the user has to sign in or to correct something.
    package let needsUser: Bool
    /// The reason why the account's configuration cannot be used.
    package let problem: Nullable<String>
    /// The outcome of the last renewal, for the text.
    package let outcome: AccountStatus.Outcome?
    /// The server of a stored login that the configuration does not use, for the text.
    package let otherServer: String?
    /// The command that signs in to the account's login, for the text.
    package let signInCommand: Hint.Command
    /// The hint for what the user has to do besides signing in, for the text; `nil` for nothing.
    package let remedy: Hint?
    /// True if only other accounts are synced with the login, for the text.
    package let isLoginOnly: Bool

    /// The value of `login` if the login cannot be read.
    package static let unknownLogin = "unknown"

    private enum CodingKeys: CodingKey {
      case name, provider, environment, login, sharedLogin, expiresAt, endsAt, providerMessage,
        scopes, generation, clockSkewSeconds, lastOutcome
      case lockHolder, invoices, lastSync, lastSyncs, stored, unreadable, runs, needsUser, problem
    }

    init(
      _ state: AccountState, in configuration: CoreConfiguration, invoices: Int, showsRuns: Bool
    ) {
      let login = state.login
      name = state.name
      provider = Nullable(state.provider)
      environment = state.environment.rawValue
      self.login = login?.state.rawValue ?? Self.unknownLogin
      sharedLogin = Nullable(state.sharedLogin)
      expiresAt = Nullable(login?.expiresAt.map { Timestamp($0).truncatedToSecond })
      endsAt = login?.endsAt.map { Timestamp($0).truncatedToSecond }
      providerMessage = login?.providerMessage?.text
      scopes = login?.scopes ?? []
      generation = Nullable(login?.generation)
      clockSkewSeconds = Nullable(login?.clockSkew.map { Int(clamping: $0) })
      outcome = login?.lastOutcome
      otherServer = state.otherLogin?.server
      signInCommand =
        configuration.signInCommand(account: state.name)
        .adding(state.otherLogin == nil ? [] : ["--replace"])
      isLoginOnly = state.isLoginOnly
      remedy =
        switch state.userAction {
        case .solve(let resource, _)?:
          state.syncs.first { $0.resource == resource }?.runs.first.map {
            HintAccount(state.name, in: configuration).hint(after: $0.record, of: resource)
          }
        case .correctConfiguration(let error)?: error.hint
        case .signIn?, .openSecretStore?, nil: nil
        }
      lastOutcome = Nullable(
        login?.lastOutcome.map { $0.text { "\($0.truncatedToSecond)" } })
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
      unreadable = Dictionary(
        uniqueKeysWithValues: state.syncs.map { ($0.resource.rawValue, $0.unreadableCount) })
      unreadableRecords = Dictionary(
        uniqueKeysWithValues: state.syncs.map { ($0.resource.rawValue, $0.unreadable) })
      runs = showsRuns ? Dictionary(uniqueKeysWithValues: all) : nil
      needsUser = state.needsUser
      problem = Nullable(state.problem?.description)
    }
  }

  package struct LastSync: Encodable {
    /// `running`, `complete`, `partial`, `failed` or `interrupted`.
    let result: String
    package let startedAt: Timestamp
    package let endedAt: Nullable<Timestamp>
    let watermark: Nullable<Timestamp>
    /// Like `result`, and `died` if the process was killed.
    package let state: String
    /// The number of records that the run read.
    package let records: Int
    package let inserted: Int
    package let updated: Int
    package let deleted: Int
    /// The stable code of the reason why the run is partial or failed.
    package let errorCode: Nullable<String>
    package let cause: Nullable<String>
    package let retryAt: Nullable<Timestamp>

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
