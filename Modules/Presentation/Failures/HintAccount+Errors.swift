package import AppCore
import Authentication
import Documents
import ErrorCodes
import Foundation
package import Models
import Networking
package import Storage
import Sync

// The hints of errors, in one place for a command that fails, for `status` and for `doctor`.
extension HintAccount {
  /// Returns the hint for an error.
  ///
  /// - Parameter resource: the list that was read, if the error is about one.
  func hint(for error: any CodedError, of resource: Resource? = nil) -> Hint? {
    hint(for: error.code, error, resource)
  }

  /// Returns the hint after a run that failed, of which only the code is stored.
  package func hint(after run: RunRecord, of resource: Resource) -> Hint {
    run.code.flatMap { hint(for: $0, nil, resource) }
      ?? Hint("Run it again", .init(["sync", resource.rawValue] + explicitOption))
  }

  /// Returns the hint for a code; `nil` if there is none, or the place of the error has its own.
  ///
  /// - Parameter error: the error, whose details the hint names; `nil` if it is not known.
  private func hint(
    for code: ErrorCode, _ error: (any CodedError)?, _ resource: Resource?
  ) -> Hint? {
    switch code {
    case .unreadableData: hintForUnreadable(error)
    case .requestRejected:
      Hint(
        "The provider has changed its API, or its description is wrong. To see the provider's "
          + "message and what was sent", .init(["sync", "all", "-v", "--trace-http"] + option))
    case .massDeletion:
      Hint(
        "If they were deleted there",
        .init(["sync", "all", "--full", "--allow-mass-deletion"] + option))
    case .serverUnavailable:
      (error as? SessionError).flatMap(startHint)
        ?? "The logins are unchanged. Check the network and try again."
    case .authorizationServerUnavailable, .authorizationServerBusy:
      hintForAuthorizationServer(error as? AuthenticationError)
    case .serverFailed: "What was read before is stored. Try again later."
    case .untrustedServer:
      Hint(
        "Check the address. For a private certificate authority set "
          + "sessions.<name>.extraCACertificates. The logins are unchanged.")
    case .database: "Check the folder, its permissions and the disk."
    case .corruptDatabase:
      "Run it again: appcore then renames the file and fetches everything from the provider."
    case .newerDatabase: "Use the newer appcore that created the file."
    case .diskFull: "Free some disk space and run it again. What was stored is kept."
    case .outputFile:
      (error as? DocumentError)?.hint
        ?? "Check the folder and its permissions, or choose another file."
    case .report: "Check the file, its folder and permissions."
    case .rateLimited:
      error is SessionError
        ? "Nothing was sent. Run it again after that time." : "Run it again after that time."
    case .serverBusy: "Run it again after that time."
    case .alreadyRunning: "Wait for it, or run it again later."
    case .databaseBusy: "Try again when the other program has finished."
    case .lockUnavailable:
      Hint(
        "If another appcore is renewing this login, wait for it; "
          + "otherwise make the state folder writable.")
    case .databaseReplaced:
      "Run it again: appcore then uses the file that is there now, or creates one."
    case .signInChanged: "What was read before is stored. Run it again."
    case .signInRequired: hintForSignIn(error as? AuthenticationError)
    case .credentialsRejected: newCredentials
    case .otherLogin:
      Hint("Use another account name, or replace the login", explicitSignIn.adding(["--replace"]))
    case .accessDenied:
      if case SyncError.accessDenied(status: 404, _)? = error {
        moreAccess.after(
          "Check the provider's addresses and \(tenantKey) in the configuration. "
            + "If they are correct: ")
      } else {
        moreAccess(to: resource)
      }
    case .insufficientScope:
      if takesToken {
        moreAccess(to: resource)
      } else {
        Hint(
          "Sign in again and request it, and for later sign-ins add it to \(scopesKey)",
          signIn.adding((error as? SessionError).scopeOptions))
      }
    // A mistake in the file names its place and what is expected there.
    case .configuration:
      if error == nil || error is StorageError {
        // Two lists of a description have the same identifiers.
        correction
      } else {
        (error as? ConfigurationError)?.hint
      }
    case .unknownAccount: hintForUnknownAccount(error)
    case .unknownAddress: hintForUnknownAddress(error)
    case .clientRefused: "The logins are unchanged. Check \(clientKeys(error))."
    case .addressRefused:
      Hint(
        "Check the provider's addresses in the configuration, "
          + "and the proxy variables of the environment.")
    case .proxyCredentials:
      "Set the environment variable https_proxy=http://USER:PASSWORD@HOST:PORT."
    case .organisationUnclear:
      switch error as? SyncError {
      case .organisationUnclear(let available)? where available.isEmpty: moreAccess
      case .organisationMissing?: "Set \(tenantKey) in the configuration file."
      default: organisationChoice
      }
    case .organisationUnproven:
      Hint(
        "If it is the same organisation",
        .init(["sync", "all"] + explicitOption + ["--same-organisation"])
      ).then("If not, use another account name; or delete the records of this one", forgetting)
    case .otherOrganisation:
      Hint("Use another account name, or delete the records of this one", forgetting)
    case .nothingStored: Hint("Fetch it first", .init(["sync", "all"] + option))
    case .foreignDatabase:
      "Name another file: set database in the configuration, or APPCORE_DATABASE."
    case .contradictoryOptions: "Name one of the options."
    case .keyringUnavailable, .keyringDuplicate, .secretStoreDamaged, .secretStoreKey,
      .otherSecretStore, .newerSecretStore, .loginNotSaved:
      hintForLogins(code, error)
    case .notFound, .ambiguous, .notRedirect, .foreignRedirect, .noRedirectExpected, .unclassified,
      .usage, .badHandle, .badText, .badArgument, .badRequest, .forked, .alreadyOpen, .bug,
      .coreClosed, .input, .output, .noDescriptor, .budgetSpent, .tooManyRequests,
      .noOrganisations, .interrupted:
      nil
    }
  }

  private func hintForUnreadable(_ error: (any CodedError)?) -> Hint {
    guard !(error is SessionError) else {
      return "The logins are unchanged. Try again; if it persists, a proxy may change the response."
    }
    let start: Sentence = "What was read before is stored. Try again; if it persists, "
    if case SyncError.unreadable(_, SyncError.webPage, _)? = error {
      return Hint(start + "sign in to the network, or check for a proxy that changes responses.")
    }
    if case SyncError.unreadable(_, _, _?)? = error {
      return unreadableAdvice.after(
        "What was read before is stored. If the provider's words are about the \(credential), sign "
          + "in again; if not, ")
    }
    return unreadableAdvice.after(start)
  }

  private func hintForUnknownAccount(_ error: (any CodedError)?) -> Hint {
    guard case AuthenticationError.unknownAccount(let name)? = error, Account.isValid(name: name)
    else { return "Use one of these." }
    return "Use one of these, or add accounts.\(name) to the configuration file."
  }

  private func hintForUnknownAddress(_ error: (any CodedError)?) -> Hint {
    var place = "the addresses of \(providerKey)"
    if case SyncError.unknownAddress(_, let key, _)? = error { place = key }
    return Hint(
      "Correct \(place) in the configuration. If that is right, check \(tenantKey) and that the "
        + "\(credential) may read the list; some providers also answer so while an organisation has "
        + "no such records, and it ends with the first one.")
  }

  /// Returns the keys of an account that an error code of OAuth is about (RFC 6749 section 5.2, RFC
  /// 8707 section 2).
  private func clientKeys(_ error: (any CodedError)?) -> String {
    guard case AuthenticationError.misconfigured(_, let reason, _)? = error else {
      return "clientID, clientSecretFile and scopes of \(loginKey)"
    }
    // A sentence is about an address; a code of OAuth contains no space.
    if reason.contains(" ") {
      return "the addresses of its provider: issuer, authorizationURL and tokenURL"
    }
    let keys =
      switch reason {
      case "invalid_client", "unauthorized_client":
        "clientID, clientSecretFile and clientAuthentication"
      case "invalid_scope": "scopes"
      case "invalid_target": "resources and audience"
      default: "clientID, clientSecretFile and scopes"
      }
    return "\(keys) of \(loginKey)"
  }

  /// The command that deletes the account's records and its login.
  private var forgetting: Hint.Command {
    .init(["logout"] + explicitOption + ["--forget-invoices"])
  }

  /// Returns the hint to start a server on this machine; `nil` for any other.
  private func startHint(_ error: SessionError) -> Hint? {
    guard case .connectionFailed(let origin?, _) = error,
      ["127.0.0.1", "[::1]", "localhost"].contains(origin.host)
    else { return nil }
    guard let sandbox = sandboxCommand(port: origin.port) else {
      return "No server runs there. Start it, or correct \(addressKey)."
    }
    return Hint("No server runs there. Correct \(addressKey), or start the sandbox", sandbox)
  }

  /// Returns the hint while the authorization server does not answer as it should.
  private func hintForAuthorizationServer(_ error: AuthenticationError?) -> Hint {
    guard let error, case .temporarilyUnavailable(_, let retryAt, let underlying) = error else {
      return "Check the network and try again."
    }
    if let retryAt {
      let start: Sentence = error.leavesLoginUnchanged ? "The logins are unchanged. " : ""
      return Hint(start + "Try again after \(Timestamp(retryAt)).")
    }
    return (underlying as? SessionError).flatMap(startHint)
      ?? (error.leavesLoginUnchanged
        ? "The logins are unchanged. Check the network and try again."
        : "Check the network and try again; the login works unless its answer was lost.")
  }
}

extension SessionError? {
  /// The options of a sign-in that request the scope that the server names.
  fileprivate var scopeOptions: [String] {
    guard case .insufficientScope(let needed?, _, _)? = self else { return [] }
    return ScopeWords(needed).words.map { "--scope=\($0)" }
  }
}
