package import AppCore
import SecureStore
package import Storage

extension StatusDocument {
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
    var accounts: [Account] = []
    for name in names ?? core.configuration.accounts.keys.sorted() {
      accounts.append(
        Account(
          try await core.state(ofAccount: name, runs: runs ?? 1), in: core.configuration,
          invoices: try await database?.invoiceCount(account: name) ?? 0, showsRuns: runs != nil))
    }
    self.accounts = accounts
    self.database = core.databasePath
    databaseExists = database != nil
    self.configuration = configuration
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
