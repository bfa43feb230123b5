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
        syncs.append(try await state(of: resource, name, in: database, runs: limit))
      }
      if login?.state == .signedOut, otherLogin == nil {
        try configuration.requireClient(configuration.login(of: name))
      }
    } catch let error as ConfigurationError {
      problem = error
    }
    let stored = try? await databaseForReading()
    let source = try? await stored?.owner(account: name)?.source
    let organisation = try? await stored?.organisation(account: name)
    return AccountState(
      name: name, organisationName: organisation?.name, provider: account.provider,
      environment: account.environment,
      isTestData: account.environment == .sandbox || source?.hasSuffix(":test") == true,
      sharedLogin: account.login, login: login,
      otherLogin: otherLogin, isLoginOnly: await isLoginOnly(name), isLoginDamaged: isDamaged,
      storeProblem: storeProblem,
      storeNeedsUser: storeProblem?.needsUser(with: configuration.secretStore) ?? false,
      syncs: syncs, problem: problem)
  }

  private func state(
    of resource: Resource, _ account: String, in database: LocalDatabase?, runs limit: Int
  ) async throws -> SyncState {
    guard let database else {
      return SyncState(
        resource: resource, stored: 0, unreadable: [], unreadableCount: 0, completeAt: nil,
        isOld: false, runs: [])
    }
    let records = try await database.runs(
      account: account, resource: resource, provider: configuration.accounts[account]?.provider,
      limit: limit)
    let age = try await database.recordAge(account: account, resource: resource)
    let path = ResourceSync.lockPath(of: resource, account: account, in: database)
    return SyncState(
      resource: resource,
      stored: try await database.listedCount(of: resource, account: account),
      unreadable: try await database.unreadableRecords(of: resource, account: account),
      unreadableCount: try await database.unreadableCount(of: resource, account: account),
      completeAt: age?.completeAt,
      isOld: age?.isOlder(than: configuration.maximumAge) ?? false,
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

extension ApplicationCore {
  /// Returns the accounts whose stored records of a resource are old: the last complete sync is
  /// longer ago than ``CoreConfiguration/maximumAge``.
  ///
  /// - Throws: `StorageError`; ``CoreError/closed``.
  public func oldRecords(
    of resource: Resource, accounts names: [String]
  ) async throws -> [OldRecords] {
    guard let database = try await databaseForReading() else { return [] }
    let ages = try await database.recordAges(of: resource)
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
  /// - Throws: as ``state(ofAccount:runs:onWait:)``.
  public func neededActions(accounts names: [String]? = nil) async throws -> [NeededAction] {
    var needed: [NeededAction] = []
    var logins: Set<String> = []
    for name in names ?? configuration.accounts.keys.sorted() {
      guard let action = try await state(ofAccount: name).userAction else { continue }
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
