package import AppCore
package import Authentication
import Foundation
package import Models
import SecureStore
package import Storage

/// The report of `appcore status`: as a ``StatusDocument``, or as text.
package struct StatusReport: Sendable {
  package struct Account: Sendable {
    package let state: AccountState
    /// The number of invoices, void and deleted ones included.
    let invoices: Int
  }

  package private(set) var accounts: [Account] = []
  /// The accounts that are not configured any more and hold records; empty in a report of some
  /// accounts.
  package private(set) var removed: [RemovedAccount] = []
  package let database: String
  package let databaseExists: Bool
  package let keyring: String
  /// The hint that makes the store of logins available; `nil` if it is.
  package let keyringHint: Hint?
  /// The path of the configuration file, which may be absent.
  package let configuration: String
  /// True if all runs that were read are shown, and not the last of each resource alone.
  package let showsRuns: Bool

  /// Reads the state of a core.
  ///
  /// - Parameters:
  ///   - names: the accounts to report; `nil` for all.
  ///   - runs: the number of runs to report of each resource; `nil` for the last one alone.
  ///   - database: the database; `nil` if there is none yet.
  ///   - configuration: the path of the configuration file.
  /// - Throws: `StorageError`; ``ConfigurationError``; `AuthenticationError.unknownAccount`.
  package init(
    of core: ApplicationCore, accounts names: [String]?, runs: Int?, database: LocalDatabase?,
    configuration: String
  ) async throws {
    (keyring, keyringHint) = await Self.keyring(core)
    self.database = core.databasePath
    databaseExists = database != nil
    self.configuration = configuration
    showsRuns = runs != nil
    let reported = names ?? core.configuration.accounts.keys.sorted()
    async let counted = database?.invoiceCounts(accounts: reported)
    let states = try await core.states(ofAccounts: reported, runs: runs ?? 1)
    let counts = try await counted ?? [:]
    accounts = states.map { Account(state: $0, invoices: counts[$0.name] ?? 0) }
    if names == nil { removed = try await core.removedAccounts() }
  }

  private static func keyring(_ core: ApplicationCore) async -> (text: String, hint: Hint?) {
    do {
      let store = try await core.secretStore.checkAvailability()
      let hint =
        store.isLocked ? Failure(SecretStoreError.locked, in: core.configuration).advice : nil
      return ("\(store)", hint)
    } catch {
      return ("not available: \(error)", Failure(error, in: core.configuration).advice)
    }
  }
}

extension AccountStatus.Outcome {
  /// The outcome of a renewal in words.
  package var sentence: Sentence {
    switch self {
    case .obtained(let date): "obtained \(Timestamp(date))"
    case .unfinished(let date): "unfinished since \(Timestamp(date))"
    case .refused(let times, let date):
      "refused \(times) times without a reason, last \(Timestamp(date))"
    case .ended(let reason, let date): "\(reason.rawValue) \(Timestamp(date))"
    }
  }
}
