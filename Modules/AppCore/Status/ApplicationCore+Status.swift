import Authentication
import Foundation
import Models
import SecureStore
import Storage
import Sync
import SystemSupport

extension ApplicationCore {
  /// Returns the state of an account.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - limit: the number of runs of each resource that are returned.
  ///   - onWait: as for ``databaseForReading(onWait:)``.
  /// - Throws: `AuthenticationError.unknownAccount`, `StorageError`.
  public func state(
    ofAccount name: String, runs limit: Int = 1, onWait: @escaping @Sendable () -> Void = {}
  ) async throws -> AccountState {
    let account = try accountConfiguration(name)
    var login: AccountStatus?
    var isDamaged = false
    var storeProblem: SecretStoreError?
    do {
      login = try await authenticator.status(of: name)
    } catch AuthenticationError
      .secretStoreUnavailable(_, let underlying)
    {
      storeProblem = underlying
    } catch AuthenticationError.signInRequired {
      isDamaged = true
    }
    var otherLogin: StoredLogin?
    if login?.state == .signedOut {
      otherLogin = try? await authenticator.storedLogin(of: configuration.login(of: name))
    }
    var syncs: [SyncState] = []
    var problem: ConfigurationError?
    do {
      let resources = try resources(account: name)
      let database = try await databaseForReading(onWait: onWait)
      for resource in resources {
        syncs.append(try await Self.state(of: resource, name, in: database, runs: limit))
      }
      if login?.state == .signedOut, otherLogin == nil {
        try configuration.requireClient(configuration.login(of: name))
      }
    } catch let error as ConfigurationError {
      problem = error
    }
    return AccountState(
      name: name, provider: account.provider, environment: account.environment,
      sharedLogin: account.login, login: login,
      otherLogin: otherLogin, isLoginOnly: await isLoginOnly(name), isLoginDamaged: isDamaged,
      storeProblem: storeProblem,
      storeNeedsUser: storeProblem?.needsUser(with: configuration.secretStore) ?? false,
      syncs: syncs, problem: problem)
  }

  private static func state(
    of resource: Resource, _ account: String, in database: LocalDatabase?, runs limit: Int
  ) async throws -> SyncState {
    guard let database else {
      return SyncState(
        resource: resource, stored: 0, unreadable: [], unreadableCount: 0, runs: [])
    }
    let records = try await database.runs(account: account, resource: resource, limit: limit)
    let path = ResourceSync.lockPath(of: resource, account: account, in: database)
    return SyncState(
      resource: resource,
      stored: try await database.listedCount(of: resource, account: account),
      unreadable: try await database.unreadableRecords(of: resource, account: account),
      unreadableCount: try await database.unreadableCount(of: resource, account: account),
      runs: records.map { record in
        let state: SyncState.Run =
          switch record.result {
          // A process that ends in any way loses its lock.
          case .running: FileLock.isHeld(at: path) ? .running : .died
          case .complete: .complete
          case .partial: .partial
          case .failed: .failed
          case .interrupted: .interrupted
          case .died: .died
          }
        return SyncState.RecordedRun(record: record, state: state)
      })
  }
}

extension SecretStoreError {
  /// Returns true if the store fails until the user does something; a slow or failing service may
  /// recover.
  fileprivate func needsUser(with choice: SecretStoreChoice) -> Bool {
    switch self {
    case .timedOut, .failed: false
    // systemd passes the key to the service that syncs, and to no other program.
    case .keyUnavailable: !choice.takesServiceCredential
    case .unavailable, .locked, .lockedElsewhere, .promptDismissed, .duplicate, .undecipherable,
      .damaged,
      .newerVersion, .elsewhere, .keyExposed:
      true
    }
  }
}
