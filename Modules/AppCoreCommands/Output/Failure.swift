import AppCore
import Authentication
import Models
import Networking
import SecureStore
import Storage
import Sync

/// An error as it is reported to the user and to scripts.
struct Failure: Equatable {
  let status: ExitStatus
  let code: String
  let message: String
  let hint: String?
  /// The resource whose sync failed or ended early; `nil` if the failure concerns the whole
  /// command.
  var resource: String?
  /// Records that could not be read.
  var records: [RowFailure] = []

  /// True if the same command can succeed later without any correction.
  var isRetryable: Bool { status == .unavailable || status == .tryAgainLater }

  var text: String {
    "appcore: " + (resource.map { "\($0): " } ?? "") + printable(message)
      + (hint.map { "\n  \(printable($0))" } ?? "")
  }

  init(_ status: ExitStatus, _ code: String, _ message: String, _ hint: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
  }

  init(_ error: any Error) {
    switch error {
    case let error as ConfigurationError:
      self.init(
        .configuration, "configuration", error.description,
        // A problem that names a command needs no other hint.
        error.problem.contains("appcore ") ? nil : "Correct the value and run it again.")
    case let error as AuthenticationError: self.init(error)
    case let error as SyncError: self.init(error)
    case let error as SessionError: self.init(error)
    case let error as StorageError: self.init(error)
    case let error as SecretStoreError: self.init(keyring: error)
    case is OutputFailed:
      self.init(
        .inputOutput, "output", "standard output cannot be written", "Make room and run it again.")
    case is CancellationError:
      self.init(.interrupted, "interrupted", "interrupted; what was stored is kept")
    default:
      self.init(.unclassified, "unclassified", "unexpected: \(type(of: error))")
    }
  }

  private init(_ error: AuthenticationError) {
    let message = error.description
    switch error {
    case .signInFailed(let account, let reason):
      self.init(
        .signInRequired, "sign-in-required", message, Self.hint(after: reason, account))
    case .signInRequired(let account, _):
      self.init(
        .signInRequired, "sign-in-required", message,
        "Sign in with: appcore login --account \(account.shellWord)")
    case .temporarilyUnavailable(_, let retryAt, let underlying):
      if let session = underlying as? SessionError, session.needsMending {
        self.init(session)
      } else if let retryAt {
        self.init(
          .tryAgainLater, "authorization-server-busy", message,
          "A login that exists is kept. Try again after \(Timestamp(retryAt)).")
      } else {
        self.init(
          .unavailable, "authorization-server-unavailable", message,
          "A login that exists is kept. Check the network and try again.")
      }
    case .misconfigured:
      self.init(
        .configuration, "client-refused", message,
        "A login that exists is kept. Check clientID, secret and scopes in the configuration.")
    case .secretStoreUnavailable(_, let underlying): self.init(keyring: underlying)
    case .lockUnavailable:
      self.init(
        .tryAgainLater, "lock-unavailable", message,
        "Another appcore is renewing this login, or the state folder cannot be written.")
    case .notSaved:
      self.init(
        .tryAgainLater, "login-not-saved", message,
        "The renewed login was not stored. Unlock or start the keyring; "
          + "you may have to sign in again.")
    case .authenticatorExists: self.init(.bug, "bug", message)
    case .unknownAccount(let name):
      self.init(
        .configuration, "unknown-account", message,
        "Add accounts.\(name) to the configuration file.")
    }
  }

  private init(keyring error: SecretStoreError) {
    let message = "the logins cannot be read: \(error)"
    switch error {
    case .keyUnavailable:
      self.init(
        .configuration, "secret-store-key", message,
        "Check secretStore.keyFile in the configuration. The logins in the file are untouched.")
    case .keyExposed(let path):
      self.init(
        .configuration, "secret-store-key", message,
        "Take the others' access away: chmod 600 \(path.shellWord)")
    case .undecipherable(let path):
      self.init(
        .configuration, "secret-store-key", message,
        "Check secretStore.keyFile in the configuration; the logins in the file are untouched. "
          + "If the key is lost, rename the file and sign in again: "
          + "mv \(path.shellWord) \((path + ".old").shellWord)")
    case .damaged:
      self.init(
        .signInRequired, "secret-store-damaged", message,
        "Sign in again: appcore login. The damaged file is kept under another name then.")
    case .newerVersion:
      self.init(
        .configuration, "newer-secret-store", message, "Use the newer appcore that wrote it.")
    case .duplicate:
      self.init(
        .tryAgainLater, "keyring-duplicate", message,
        "Remove them all and sign in again: appcore logout, appcore login.")
    case .unavailable, .timedOut, .locked, .promptDismissed, .failed:
      let cure =
        error == .locked || error == .promptDismissed
        ? "Unlock it: sign in to the desktop, or open it in the desktop's password program. "
        : "Run this inside a desktop session, or under one of its own: dbus-run-session -- sh -c "
          + "'gnome-keyring-daemon --unlock --components=secrets; appcore …'. "
      self.init(
        .tryAgainLater, "keyring-unavailable", message,
        cure
          + "The login in it is untouched. "
          + "On a server without one: secretStore in the configuration.")
    }
  }

  private init(_ error: SyncError) {
    let message = error.description
    switch error {
    case .unreadable:
      self.init(
        .unreadableData, "unreadable-data", message,
        "What was read before is stored. Try again; if it persists, "
          + "the server or a proxy sends something other than invoices.")
    case .credentialsRejected:
      self.init(.signInRequired, "credentials-rejected", message, "Sign in again: appcore login")
    case .accessDenied(status: 404):
      self.init(
        .signInRequired, "access-denied", message,
        "Check the provider's addresses and accounts.<name>.tenantID in the configuration; "
          + "if they are right, sign in again and grant access to the organisation: appcore login")
    case .accessDenied:
      self.init(
        .signInRequired, "access-denied", message,
        "Sign in again and grant access to the organisation: appcore login")
    case .serverFailed:
      self.init(
        .unavailable, "server-failed", message, "A login that exists is kept. Try again later.")
    case .rateLimited:
      self.init(.tryAgainLater, "rate-limited", message, "What was read is stored.")
    case .organisationUnclear, .organisationMissing:
      self.init(
        .configuration, "organisation-unclear", message,
        "Set accounts.<name>.tenantID in the configuration file.")
    case .organisationUnproven(let account, _):
      self.init(
        .configuration, "organisation-unproven", message,
        "If it is: appcore sync all --account \(account) --same-organisation. If not, "
          + Self.otherAccount(account))
    case .signInChanged:
      self.init(
        .tryAgainLater, "sign-in-changed", message, "What was read before is stored. Run it again.")
    case .massDeletion:
      self.init(
        .unreadableData, "mass-deletion", message,
        "If that is right: appcore sync … --full --allow-mass-deletion")
    case .alreadyRunning:
      self.init(.tryAgainLater, "already-running", message, "Wait for it, or run it later.")
    }
  }

  private init(_ error: SessionError) {
    switch error {
    case .untrustedServer:
      self.init(
        .unavailable, "untrusted-server", "\(error)",
        "The server's certificate is not trusted. Check the address; "
          + "for a private authority set sessions.<name>.extraCACertificates. "
          + "A login that exists is kept.")
    case .proxyAuthenticationRequired:
      self.init(
        .configuration, "proxy-credentials", "\(error)",
        "Put the user and the password into the environment variable https_proxy.")
    case .malformedResponse, .responseTooLarge, .decompressionRefused, .unexpectedBody:
      self.init(
        .unreadableData, "unreadable-data", "\(error)",
        "A login that exists is kept. Try again later.")
    case .credentialsRefused, .redirectRefused, .invalidRequest:
      self.init(
        .configuration, "address-refused", "\(error)",
        "Check the provider's addresses in the configuration, "
          + "and the environment's proxy variables.")
    case .insufficientScope(let needed, _):
      self.init(
        .signInRequired, "insufficient-scope", "\(error)",
        "Sign in again and ask for it: appcore login"
          + ScopeWords(needed ?? "").words.map { " --scope=\($0.shellWord)" }.joined())
    case .rateLimited:
      self.init(.tryAgainLater, "rate-limited", "\(error)", "Nothing was sent. Try again then.")
    case .cancelled: self.init(.interrupted, "interrupted", "\(error)")
    case .closed, .bodyNotReplayable: self.init(.bug, "bug", "\(error)")
    case .connectionFailed, .connectionLost, .timedOut:
      self.init(
        .unavailable, "server-unavailable", "\(error)",
        "A login that exists is kept. Check the network and try again.")
    }
  }

  /// Returns the hint for syncing another organisation.
  private static func otherAccount(_ account: String) -> String {
    "use another account name; or empty this one: "
      + "appcore logout --account \(account) --forget-invoices"
  }

  private init(_ error: StorageError) {
    switch error {
    case .busy:
      self.init(
        .tryAgainLater, "database-busy", "\(error)", "Another program is writing; try again.")
    case .full:
      self.init(
        .inputOutput, "disk-full", "\(error)",
        "Make room and run it again; what was stored is kept.")
    case .newerSchema:
      self.init(
        .inputOutput, "newer-database", "\(error)", "Use the newer appcore that made the file.")
    case .corrupt:
      self.init(
        .inputOutput, "corrupt-database", "\(error)",
        "Run it again: appcore then renames the file and fetches everything from the provider.")
    case .replaced:
      self.init(
        .tryAgainLater, "database-replaced", "\(error)",
        "Run it again: appcore then uses a new file and fetches everything from the provider.")
    case .foreign:
      self.init(
        .configuration, "foreign-database", "\(error)",
        "Set another file: database, or APPCORE_DATABASE.")
    case .sourceMismatch(let account, _, _, _):
      self.init(
        .configuration, "other-organisation", "\(error)",
        "For another organisation " + Self.otherAccount(account))
    case .inaccessible, .failed:
      self.init(
        .inputOutput, "database", "\(error)", "Check the folder, its permissions and the disk.")
    }
  }
}

extension SessionError {
  /// True if somebody has to correct something before a retry can succeed.
  fileprivate var needsMending: Bool {
    switch self {
    case .untrustedServer, .proxyAuthenticationRequired: true
    default: false
    }
  }
}
