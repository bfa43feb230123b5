import Authentication
import Foundation
import Models
import Storage

/// The document that `appcore status` prints.
struct StatusDocument: Encodable {
  let schemaVersion = 1
  let accounts: [Account]
  let database: String
  let databaseExists: Bool
  let keyring: String

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
    let invoices: Int
    /// The last sync of invoices.
    let lastSync: Nullable<LastSync>
    /// The last sync of each resource that was synced.
    let lastSyncs: [String: LastSync]

    init(
      name: String, provider: String?, login: AccountStatus?, runs: [Resource: RunRecord],
      invoices: Int
    ) {
      self.name = name
      self.provider = Nullable(provider)
      self.login = login?.state.rawValue ?? "unknown"
      expiresAt = Nullable(login?.expiresAt.map { Timestamp($0).truncatedToSecond })
      scopes = login?.scopes ?? []
      generation = Nullable(login?.generation)
      clockSkewSeconds = Nullable(login?.clockSkew.map { Int($0.rounded()) })
      lastOutcome = Nullable(login?.lastOutcome.map(Self.text))
      lockHolder = Nullable(login?.lockHolder)
      self.invoices = invoices
      lastSync = Nullable(runs[.invoices].map(LastSync.init))
      lastSyncs = Dictionary(
        uniqueKeysWithValues: runs.map { ($0.key.rawValue, LastSync($0.value)) })
    }

    static func text(_ outcome: AccountStatus.Outcome) -> String {
      func at(_ date: Date) -> String { "\(Timestamp(date).truncatedToSecond)" }
      return switch outcome {
      case .obtained(let date): "obtained \(at(date))"
      case .unfinished(let date): "unfinished since \(at(date))"
      case .refused(let times, let date):
        "refused \(times) times without a reason, last \(at(date))"
      case .ended(let reason, let date): "\(reason.rawValue) \(at(date))"
      }
    }
  }

  struct LastSync: Encodable {
    let result: String
    let startedAt: Timestamp
    let endedAt: Nullable<Timestamp>
    let watermark: Nullable<Timestamp>

    init(_ run: RunRecord) {
      result = run.result.rawValue
      startedAt = run.startedAt
      endedAt = Nullable(run.endedAt)
      watermark = Nullable(run.watermarkAfter)
    }
  }

  var text: String {
    let lines = accounts.flatMap { account -> [String] in
      let expiry = account.expiresAt.value.map { ", access token until \($0)" } ?? ""
      let syncs = account.lastSyncs.sorted { $0.key < $1.key }.map { resource, sync in
        "\(resource): \(sync.result), \(sync.endedAt.value ?? sync.startedAt)"
      }
      return [
        "\(printable(account.name)) (\(printable(account.provider.value ?? "?")))",
        "  login      \(account.login)\(expiry)",
        "  renewal    \(account.lastOutcome.value ?? "none")"
          + (account.lockHolder.value.map { ", process \($0) is renewing" } ?? "")
          + (account.clockSkewSeconds.value.map {
            abs($0) > 5 ? ", server's clock \($0) s ahead" : ""
          }
            ?? ""),
        "  invoices   \(account.invoices)",
        "  last sync  " + (syncs.isEmpty ? "never" : syncs.joined(separator: "; ")),
      ]
    }
    return
      (lines + [
        "database     \(printable(database))" + (databaseExists ? "" : " (none yet)"),
        "keyring      \(printable(keyring))",
      ])
      .joined(separator: "\n")
  }
}
