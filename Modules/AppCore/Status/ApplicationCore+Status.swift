import Authentication
import Foundation
public import Models
import Providers
import SecureStore
import Storage
import Sync
package import SystemSupport

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
    try await states(ofAccounts: [name], runs: limit, onWait: onWait)[0]
  }

  /// Returns the states of accounts, in their order.
  ///
  /// It reads the database once for all, and each login once, however many accounts share it.
  ///
  /// - Parameters:
  ///   - names: the accounts.
  ///   - limit: the number of runs of each resource that are returned.
  ///   - onWait: as for ``databaseForReading(onWait:)``.
  /// - Throws: `AuthenticationError.unknownAccount`, `StorageError`.
  public func states(
    ofAccounts names: [String], runs limit: Int = 1, onWait: @escaping @Sendable () -> Void = {}
  ) async throws -> [AccountState] {
    var accounts = try names.map { StatedAccount($0, try accountConfiguration($0)) }
    var logins: [String: LoginState] = [:]
    var providers: [Resource: [String: String]] = [:]
    var lists: [Server: [Resource]] = [:]
    for index in accounts.indices {
      let (name, login) = (accounts[index].name, configuration.login(of: accounts[index].name))
      let state = if let read = logins[login] { read } else { try await loginState(login) }
      logins[login] = state
      accounts[index].login = state
      do {
        // Accounts of one server have the same lists, and a provider makes its feeds to name them.
        let server = Server(accounts[index].configuration)
        let resources = try lists[server] ?? resources(account: name)
        lists[server] = resources
        accounts[index].resources = resources
        if state.status?.state == .signedOut, state.other == nil {
          try configuration.requireClient(login)
        }
      } catch let error as ConfigurationError {
        accounts[index].problem = error
      }
      for resource in accounts[index].resources {
        providers[resource, default: [:]][name] = accounts[index].configuration.provider
      }
    }
    // Without a resource to read, a database that cannot be opened is none of the caller's.
    let database =
      providers.isEmpty
      ? try? await databaseForReading() : try await databaseForReading(onWait: onWait)
    let stored = try await withThrowingTaskGroup { group in
      for (resource, accounts) in providers {
        group.addTask {
          let syncs = try await database?.storedSyncs(of: resource, accounts: accounts, runs: limit)
          return (resource, syncs ?? [:])
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let sources = (try? await database?.sources()) ?? [:]
    let organisations = (try? await database?.organisations()) ?? [:]
    let shared = configuration.sharedLogins
    var states: [AccountState] = []
    for account in accounts {
      let name = account.name
      states.append(
        AccountState(
          name: name, organisationName: organisations[name]?.name,
          provider: account.configuration.provider, environment: account.configuration.environment,
          isTestData: account.configuration.environment == .sandbox
            || sources[name]?.hasSuffix(":test") == true,
          sharedLogin: account.configuration.login, login: account.login.status,
          otherLogin: account.login.other,
          isLoginOnly: shared.contains(name) ? await isLoginOnly(name) : false,
          isLoginDamaged: account.login.isDamaged, storeProblem: account.login.storeProblem,
          storeNeedsUser: account.login.storeProblem?.needsUser(with: configuration.secretStore)
            ?? false,
          syncs: account.resources.map { resource in
            let stored = stored[resource]?[name] ?? StoredSync()
            return state(
              of: resource, stored,
              lock: database.map {
                ResourceSync.lockPath(of: resource, account: name, in: $0)
              })
          }, problem: account.problem))
    }
    return states
  }

  private func loginState(_ login: String) async throws -> LoginState {
    var state = LoginState()
    do {
      state.status = try await authenticator.status(of: login)
    } catch AuthenticationError
      .secretStoreUnavailable(_, let underlying)
    {
      state.storeProblem = underlying
    } catch AuthenticationError.signInRequired {
      state.isDamaged = true
    }
    if state.status?.state == .signedOut {
      state.other = try? await authenticator.storedLogin(of: login)
    }
    return state
  }

  private func state(of resource: Resource, _ stored: StoredSync, lock: String?) -> SyncState {
    SyncState(
      resource: resource, stored: stored.listed, unreadable: stored.unreadable,
      unreadableCount: stored.unreadableCount, completeAt: stored.age?.completeAt,
      isOld: stored.age?.isOlder(than: configuration.maximumAge) ?? false,
      runs: stored.runs.map { record in
        let state: SyncState.Run =
          switch record.result {
          // A process that ends in any way loses its lock.
          case .running: lock.map(FileLock.isHeld) == true ? .running : .died
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

/// An account while its state is read.
private struct StatedAccount {
  let name: String
  let configuration: AccountConfiguration
  var login = LoginState()
  var resources: [Resource] = []
  var problem: ConfigurationError?

  init(_ name: String, _ configuration: AccountConfiguration) {
    (self.name, self.configuration) = (name, configuration)
  }
}

/// The provider and its addresses, by which accounts have the same lists.
private struct Server: Hashable {
  let provider: String
  let endpoints: ProviderEndpoints

  init(_ account: AccountConfiguration) {
    (provider, endpoints) = (account.provider, account.endpoints)
  }
}

/// The state of a login, which several accounts may share.
private struct LoginState {
  var status: AccountStatus?
  var other: StoredLogin?
  var isDamaged = false
  var storeProblem: SecretStoreError?
}

extension ApplicationCore {
  /// Returns the accounts whose stored records of a resource are old: the last complete sync is
  /// longer ago than ``CoreConfiguration/maximumAge``.
  ///
  /// - Throws: `StorageError`; ``CoreError/closed``.
  public func oldRecords(
    of resource: Resource, accounts names: [String]
  ) async throws -> [OldRecords] {
    guard let database = try await databaseForReading() else { return [] }
    let ages = try await database.recordAges(of: resource, accounts: names)
    return names.compactMap { name in
      guard configuration.accounts[name] != nil, let found = ages[name],
        found.isOlder(than: configuration.maximumAge)
      else { return nil }
      return OldRecords(account: name, since: found.completeAt ?? found.begunAt)
    }
  }
}

/// An account whose stored records are old.
public struct OldRecords: Sendable {
  /// The account.
  public let account: String
  /// The end of the last complete sync, or the beginning of the first one.
  public let since: Timestamp
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

/// An action that an account needs of the user.
public struct NeededAction: Sendable {
  /// The account to act on; for an action on a login, the one that has it.
  public let account: String
  /// The action.
  public let action: UserAction
}

extension ApplicationCore {
  /// Returns the actions that accounts need of the user, for a front end to notify the user of.
  ///
  /// ``AccountState/userAction`` decides which they are. A lost connection is among them only once
  /// the records are old. Accounts that share a login need one action for it.
  /// ``NotificationPause`` keeps a front end from repeating itself.
  ///
  /// - Parameter names: the accounts; all of them, by name, if `nil`.
  /// - Throws: as ``states(ofAccounts:runs:onWait:)``.
  public func neededActions(accounts names: [String]? = nil) async throws -> [NeededAction] {
    var needed: [NeededAction] = []
    var logins: Set<String> = []
    for state in try await states(ofAccounts: names ?? configuration.accounts.keys.sorted()) {
      guard let action = state.userAction else { continue }
      let name = state.name
      switch action {
      case .signIn, .openSecretStore: break
      case .correctConfiguration, .solve, .sync:
        needed.append(NeededAction(account: name, action: action))
        continue
      }
      let login = configuration.login(of: name)
      if logins.insert(login).inserted {
        needed.append(NeededAction(account: login, action: action))
      }
    }
    return needed
  }
}

/// The pause between two equal notifications of what the user has to do: a day.
///
/// It lasts beyond the process, in a file of the state folder that all front ends share. So a check
/// every hour shows the same need once a day, and a new need immediately.
public struct NotificationPause: Sendable {
  private static let length: TimeInterval = 24 * 60 * 60

  private let folder: String
  private let time: TimeSource

  /// Creates the pause of a user.
  ///
  /// - Parameter directories: the folders of the core.
  public init(directories: Directories) {
    self.init(directories: directories, time: .system)
  }

  /// Creates the pause with the clock of a test or a command.
  package init(directories: Directories, time: TimeSource) {
    (folder, self.time) = (directories.state, time)
  }

  /// Returns `true` if this text was not shown within the last day, or another one was shown since.
  ///
  /// - Throws: the system's error if the time of the last notification cannot be read.
  public func permits(_ text: String) throws -> Bool {
    guard FileManager.default.contents(atPath: path) == Data(text.utf8) else { return true }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let shown = attributes[.modificationDate] as? Date else { return true }
    // A clock that was set back must not silence notifications.
    return !(0..<Self.length).contains(time.wall().timeIntervalSince(shown))
  }

  /// Begins the pause: call it once the user has been shown the text.
  ///
  /// - Throws: the system's error if the file cannot be written.
  public func begin(with text: String) throws {
    try Directories.create(folder)
    try AtomicFile.replace(path, with: Data(text.utf8), isDurable: false)
  }

  /// Ends the pause: call it if nothing is needed of the user, so that the next need is shown even
  /// if it equals the last.
  ///
  /// - Throws: the system's error if the file cannot be removed.
  public func end() throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.removeItem(atPath: path)
  }

  // The last notification and, as its time of change, when it was shown.
  private var path: String { folder + "/notified" }
}
