/// The stable code of a cause of errors, which `appcore --json`, C, Python and stored runs name.
///
/// This is the one place that says which exit code each has, whether the user has to act, and what
/// it means. Later versions may add codes.
public enum ErrorCode: String, CaseIterable, Sendable {
  // Exit status unclassified.
  case notFound = "not-found"
  case ambiguous
  case notRedirect = "not-redirect"
  case foreignRedirect = "foreign-redirect"
  case noRedirectExpected = "no-redirect-expected"
  case unclassified

  // Exit status usage.
  case usage
  case contradictoryOptions = "contradictory-options"
  case badHandle = "bad-handle"
  case badText = "bad-text"
  case badArgument = "bad-argument"
  case badRequest = "bad-request"
  case forked
  case alreadyOpen = "already-open"

  // Exit status unreadableData.
  case unreadableData = "unreadable-data"
  case requestRejected = "request-rejected"
  case massDeletion = "mass-deletion"

  // Exit status unavailable.
  case serverUnavailable = "server-unavailable"
  case authorizationServerUnavailable = "authorization-server-unavailable"
  case serverFailed = "server-failed"
  case untrustedServer = "untrusted-server"

  // Exit status bug.
  case bug
  case coreClosed = "core-closed"

  // Exit status inputOutput.
  case database
  case corruptDatabase = "corrupt-database"
  case newerDatabase = "newer-database"
  case diskFull = "disk-full"
  case input
  case output
  case outputFile = "output-file"
  case report
  case noDescriptor = "no-descriptor"

  // Exit status tryAgainLater.
  case rateLimited = "rate-limited"
  case serverBusy = "server-busy"
  case authorizationServerBusy = "authorization-server-busy"
  case budgetSpent = "budget-spent"
  case alreadyRunning = "already-running"
  case databaseBusy = "database-busy"
  case lockUnavailable = "lock-unavailable"
  case databaseReplaced = "database-replaced"
  case signInChanged = "sign-in-changed"
  case keyringUnavailable = "keyring-unavailable"
  case keyringDuplicate = "keyring-duplicate"
  case loginNotSaved = "login-not-saved"
  case tooManyRequests = "too-many-requests"

  // Exit status signInRequired.
  case signInRequired = "sign-in-required"
  case credentialsRejected = "credentials-rejected"
  case otherLogin = "other-login"
  case accessDenied = "access-denied"
  case insufficientScope = "insufficient-scope"
  case secretStoreDamaged = "secret-store-damaged"

  // Exit status configuration.
  case configuration
  case unknownAccount = "unknown-account"
  case unknownAddress = "unknown-address"
  case clientRefused = "client-refused"
  case addressRefused = "address-refused"
  case proxyCredentials = "proxy-credentials"
  case organisationUnclear = "organisation-unclear"
  case noOrganisations = "no-organisations"
  case organisationUnproven = "organisation-unproven"
  case otherOrganisation = "other-organisation"
  case foreignDatabase = "foreign-database"
  case nothingStored = "nothing-stored"
  case otherSecretStore = "other-secret-store"
  case newerSecretStore = "newer-secret-store"
  case secretStoreKey = "secret-store-key"

  // Exit status interrupted.
  case interrupted

  /// The exit code of a command that ends with this error.
  public var exitStatus: ExitStatus {
    switch self {
    case .notFound, .ambiguous, .notRedirect, .foreignRedirect, .noRedirectExpected,
      .unclassified:
      .unclassified
    case .usage, .contradictoryOptions, .badHandle, .badText, .badArgument, .badRequest, .forked,
      .alreadyOpen:
      .usage
    case .unreadableData, .requestRejected, .massDeletion:
      .unreadableData
    case .serverUnavailable, .authorizationServerUnavailable, .serverFailed, .untrustedServer:
      .unavailable
    case .bug, .coreClosed:
      .bug
    case .database, .corruptDatabase, .newerDatabase, .diskFull, .input, .output, .outputFile,
      .report, .noDescriptor:
      .inputOutput
    case .rateLimited, .serverBusy, .authorizationServerBusy, .budgetSpent, .alreadyRunning,
      .databaseBusy, .lockUnavailable, .databaseReplaced, .signInChanged, .keyringUnavailable,
      .keyringDuplicate, .loginNotSaved, .tooManyRequests:
      .tryAgainLater
    case .signInRequired, .credentialsRejected, .otherLogin, .accessDenied, .insufficientScope,
      .secretStoreDamaged:
      .signInRequired
    case .configuration, .unknownAccount, .unknownAddress, .clientRefused, .addressRefused,
      .proxyCredentials, .organisationUnclear, .noOrganisations, .organisationUnproven,
      .otherOrganisation, .foreignDatabase, .nothingStored, .otherSecretStore, .newerSecretStore,
      .secretStoreKey:
      .configuration
    case .interrupted:
      .interrupted
    }
  }

  /// True if no later attempt succeeds before the user has signed in or corrected something.
  public var needsUser: Bool {
    switch self {
    case .massDeletion, .untrustedServer, .newerDatabase, .diskFull, .signInRequired,
      .credentialsRejected,
      .otherLogin, .accessDenied, .insufficientScope, .secretStoreDamaged, .configuration,
      .unknownAccount, .unknownAddress, .clientRefused, .addressRefused, .proxyCredentials,
      .organisationUnclear, .noOrganisations, .organisationUnproven, .otherOrganisation,
      .foreignDatabase, .nothingStored, .otherSecretStore, .newerSecretStore, .secretStoreKey:
      true
    case .notFound, .ambiguous, .notRedirect, .foreignRedirect, .noRedirectExpected,
      .unclassified, .usage, .contradictoryOptions, .badHandle, .badText, .badArgument,
      .badRequest, .forked, .alreadyOpen, .unreadableData, .requestRejected, .serverUnavailable,
      .authorizationServerUnavailable, .serverFailed, .bug, .coreClosed, .database,
      .corruptDatabase, .input, .output, .outputFile, .report, .noDescriptor,
      .rateLimited, .serverBusy, .authorizationServerBusy, .budgetSpent, .alreadyRunning,
      .databaseBusy, .lockUnavailable, .databaseReplaced, .signInChanged, .keyringUnavailable,
      .keyringDuplicate, .loginNotSaved, .tooManyRequests, .interrupted:
      false
    }
  }

  /// The cause, as the guide of codes explains it.
  public var meaning: String {
    switch self {
    case .notFound, .ambiguous: "no record has this name or id, or several have it"
    case .notRedirect, .foreignRedirect, .noRedirectExpected:
      "a pasted address that the sign-in does not accept"
    case .unclassified: "anything else"
    case .usage, .contradictoryOptions: "a command line or options that are not possible"
    case .badHandle, .badText, .badArgument, .badRequest, .forked, .alreadyOpen:
      "a mistake of a program that calls the library"
    case .unreadableData: "records, or an answer, that cannot be read"
    case .requestRejected: "a request that the provider does not accept"
    case .massDeletion: "so many records are missing that nothing was deleted"
    case .serverUnavailable, .authorizationServerUnavailable:
      "the server or the network cannot be reached"
    case .serverFailed: "the server reports a failure of its own"
    case .untrustedServer: "the server's certificate is not trusted"
    case .bug, .coreClosed: "a bug, or a core that was closed in the meantime"
    case .database, .corruptDatabase, .newerDatabase, .diskFull: "the database cannot be used"
    case .input, .output, .outputFile, .report, .noDescriptor:
      "a file or stream cannot be read or written"
    case .rateLimited, .serverBusy, .authorizationServerBusy: "the server asks to wait"
    case .budgetSpent: "the run read as much as it was allowed to"
    case .alreadyRunning, .databaseBusy, .lockUnavailable: "another sync or program is at work"
    case .databaseReplaced, .signInChanged: "the database or the login was replaced during the run"
    case .keyringUnavailable, .keyringDuplicate, .loginNotSaved:
      "the keyring is locked or absent, or has several logins for one"
    case .tooManyRequests: "a program fetches no events of its requests"
    case .signInRequired, .credentialsRejected: "there is no login, or it has ended"
    case .otherLogin:
      "the stored login is for another server or client than the configuration names"
    case .accessDenied, .insufficientScope: "the login may not read this"
    case .secretStoreDamaged: "the file with the logins is damaged"
    case .configuration, .unknownAccount, .unknownAddress, .clientRefused, .addressRefused,
      .proxyCredentials:
      "a value of the configuration is missing or wrong"
    case .organisationUnclear, .noOrganisations: "an organisation has to be chosen"
    case .organisationUnproven, .otherOrganisation:
      "the login may belong to another organisation than the stored records"
    case .foreignDatabase: "the file is no database of appcore"
    case .nothingStored: "nothing has been fetched yet, so no file is written"
    case .otherSecretStore, .newerSecretStore, .secretStoreKey:
      "the store of the logins cannot be used"
    case .interrupted: "a signal, or a cancellation"
    }
  }

  /// True if it is about the store of the logins, whose present state decides, not a stored one.
  package var concernsSecretStore: Bool {
    switch self {
    case .keyringUnavailable, .keyringDuplicate, .secretStoreDamaged, .secretStoreKey,
      .otherSecretStore, .newerSecretStore:
      true
    default: false
    }
  }
}
