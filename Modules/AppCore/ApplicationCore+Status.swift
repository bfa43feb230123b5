public import Authentication
import Foundation
public import Models
public import SecureStore
public import Storage
import Sync
import SystemSupport

/// The state of an account: its login, and the sync of each resource.
public struct AccountState: Sendable {
  /// The account's name.
  public let name: String
  /// The provider's name in the configuration.
  public let provider: String
  /// The account whose login this one uses; `nil` for one with a login of its own.
  public let sharedLogin: String?
  /// The state of the login; `nil` if it cannot be read.
  public let login: AccountStatus?
  /// The stored login, if it was made with another server or client than the configured one; it is
  /// not used, and only a replacing sign-in or a forced sign-out touches it.
  public let otherLogin: StoredLogin?
  /// True if other accounts use the login and the account has no organisation itself, so that
  /// ``ApplicationCore/syncedAccounts()`` leaves it out.
  public let isLoginOnly: Bool
  /// True if the stored login is damaged, which a sign-in repairs.
  public let isLoginDamaged: Bool
  /// The reason why the store of logins cannot be read; `nil` if it can.
  public let storeProblem: SecretStoreError?
  /// True if that lasts until the user does something.
  let storeNeedsUser: Bool
  /// The syncs of the resources that the provider lists, invoices first.
  public let syncs: [SyncState]
  /// The reason why the account's configuration cannot be used; `nil` if it can.
  public let problem: ConfigurationError?

  /// True if no sync succeeds before the user has signed in or corrected something.
  public var needsUser: Bool { userAction != nil }

  /// The action without which no sync succeeds; `nil` if the account needs nothing of the user.
  public var userAction: UserAction? {
    if let problem { return .correctConfiguration(problem) }
    if let storeProblem, storeNeedsUser { return .openSecretStore(storeProblem) }
    switch login?.state {
    case .signedOut?, .rejected?: return .signIn
    case nil where isLoginDamaged: return .signIn
    case .valid?, .expired?, nil: break
    }
    // Its syncs fail for want of an organisation, which it need not have.
    for sync in isLoginOnly ? [] : syncs {
      guard solves(sync.resource), let run = sync.runs.first?.record else { continue }
      return .solve(sync.resource, cause: run.cause ?? run.errorCode ?? "")
    }
    return nil
  }

  /// True if the user has to solve what ended the last sync of a resource.
  package func solves(_ resource: Resource) -> Bool {
    guard let run = syncs.first(where: { $0.resource == resource })?.runs.first?.record,
      run.needsUser
    else { return false }
    // A sign-in since that run may have solved it.
    guard let obtained = login?.obtainedAt, let ended = run.endedAt else { return true }
    return obtained < ended.date
  }
}

/// An action that only the user can take.
public enum UserAction: Sendable {
  /// Correct the account's configuration.
  case correctConfiguration(ConfigurationError)
  /// Sign in.
  case signIn
  /// Unlock, start or select the store of logins.
  case openSecretStore(SecretStoreError)
  /// Solve what ended the last sync of a resource; `cause` is a sentence.
  case solve(Resource, cause: String)
}

/// The state of an account's sync of one resource.
public struct SyncState: Sendable {
  /// The states of a run.
  public enum Run: String, Sendable {
    /// A process is at work.
    case running
    /// Everything that the provider lists is stored.
    case complete
    /// A part is stored; the run ended in order.
    case partial
    /// An error ended the run.
    case failed
    /// The user, or the system, asked the run to stop.
    case interrupted
    /// The process was killed, or the machine went down.
    case died
  }

  /// A run with its state now.
  public struct RecordedRun: Sendable {
    /// The run as the database holds it.
    public let record: RunRecord
    /// The state of the run.
    public let state: Run
  }

  /// The resource.
  public let resource: Resource
  /// The number of stored records that the provider still lists.
  public let stored: Int
  /// The latest runs, the newest first.
  public let runs: [RecordedRun]
}

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
      name: name, provider: account.provider, sharedLogin: account.login, login: login,
      otherLogin: otherLogin, isLoginOnly: await isLoginOnly(name), isLoginDamaged: isDamaged,
      storeProblem: storeProblem,
      storeNeedsUser: storeProblem?.needsUser(with: configuration.secretStore) ?? false,
      syncs: syncs, problem: problem)
  }

  private static func state(
    of resource: Resource, _ account: String, in database: LocalDatabase?, runs limit: Int
  ) async throws -> SyncState {
    guard let database else { return SyncState(resource: resource, stored: 0, runs: []) }
    let records = try await database.runs(account: account, resource: resource, limit: limit)
    let path = ResourceSync.lockPath(of: resource, account: account, in: database)
    return SyncState(
      resource: resource,
      stored: try await database.listedCount(of: resource, account: account),
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
    case .unavailable, .locked, .promptDismissed, .duplicate, .undecipherable, .damaged,
      .newerVersion, .elsewhere, .keyExposed:
      true
    }
  }
}
