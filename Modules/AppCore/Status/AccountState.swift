public import Authentication
import ErrorCodes
public import Models
public import Providers
public import SecureStore
public import Storage
import Sync

/// The state of an account: its login, and the sync of each resource.
public struct AccountState: Sendable {
  /// The account's name.
  public let name: String
  /// The name of the organisation whose records it holds; `nil` if it is not known.
  public let organisationName: String?
  /// The provider's name in the configuration.
  public let provider: String
  /// The provider's servers that the account uses.
  public let environment: ProviderEnvironment
  /// True if the records are made up: those of a sandbox, or of a test key.
  public let isTestData: Bool
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

  /// The name with that of its organisation, such as `shop (Acme Ltd)`.
  public var title: String { OrganisationNames.title(of: name, organisationName) }

  /// True if the user has to sign in, to correct something, or to find out why no sync completes.
  public var needsUser: Bool { userAction != nil }

  /// The action that only the user can take; `nil` if the account needs nothing of the user.
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
    for sync in isLoginOnly ? [] : syncs where sync.isOld {
      return .sync(sync.resource, completeAt: sync.completeAt)
    }
    return nil
  }

  /// True if the user has to solve what ended the last sync of a resource; what ended it in the
  /// store of logins holds if ``storeProblem`` says so.
  package func solves(_ resource: Resource) -> Bool {
    guard let run = syncs.first(where: { $0.resource == resource })?.runs.first?.record,
      run.needsUser, run.code?.concernsSecretStore != true
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
  /// Run the sync of a resource: the last complete one is longer ago than
  /// ``CoreConfiguration/maximumAge``, or there was none in that time.
  case sync(Resource, completeAt: Timestamp?)
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
  /// The records that the provider lists and that cannot be read, at most 100.
  public let unreadable: [UnreadableRecord]
  /// The number of records that the provider lists and that cannot be read.
  public let unreadableCount: Int
  /// The end of the last complete sync; `nil` if there was none.
  public let completeAt: Timestamp?
  /// True if that is longer ago than ``CoreConfiguration/maximumAge``.
  public let isOld: Bool
  /// The latest runs, the newest first.
  public let runs: [RecordedRun]
}
