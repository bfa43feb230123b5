import AppCore
import Authentication
import CAppCore
import Foundation
import Models
import Presentation
import Providers

struct SignInOptions {
  private enum Way {
    case browser(timeout: Duration)
    case device
    case clientCredentials
    case tokens(TokenSet)
  }

  private let way: Way
  /// True to replace a login of another server or client.
  let replaces: Bool

  init(_ choices: inout Choices) throws {
    replaces = try choices.flag("replace")
    let method = try choices.text("method")
    let token = try choices.text("token")
    let timeout = try choices.seconds("timeoutSeconds") ?? .seconds(300)
    if let token {
      guard method == nil else {
        throw Misuse.badArgument(message: "method cannot be combined with token")
      }
      guard let tokens = TokenSet(pasted: token) else {
        throw Misuse.badArgument(message: "token is no token")
      }
      way = .tokens(tokens)
      return
    }
    switch method {
    case "browser", nil: way = .browser(timeout: timeout)
    case "device": way = .device
    case "client-credentials": way = .clientCredentials
    case let other?:
      throw Misuse.badArgument(
        message: "unknown method '\(other)'; available: browser, device, client-credentials")
    }
  }

  fileprivate func method(_ delegate: EventDelegate) -> SignInMethod {
    switch way {
    case .browser(let timeout): .authorizationCode(delegate: delegate, timeout: timeout)
    case .device: .deviceCode(delegate: delegate)
    case .clientCredentials: .clientCredentials
    case .tokens(let tokens): .tokens(tokens)
    }
  }
}

struct SignOutOptions {
  let isForAll: Bool
  /// True to delete the account's records.
  let forgets: Bool
  /// True to remove a login of another server or client.
  let removesOtherLogin: Bool

  init(_ choices: inout Choices) throws {
    isForAll = try choices.flag("all")
    forgets = try choices.flag("forget")
    removesOtherLogin = try choices.flag("force")
  }
}

extension CoreRequest {
  func signIn(_ account: String, _ options: SignInOptions) async throws {
    let method = options.method(EventDelegate(request: self, account: account))
    let earlier = try? await core.authenticator.storedLogin(of: account)
    let status = try await core.signIn(account, with: method, replacesOtherLogin: options.replaces)
    // The login is stored. A cancellation comes too late, and the next sync asks what is unknown.
    let chosen = try? await organisation(of: account, earlier: earlier?.organisationID)
    let provider = core.configuration.accounts[account]?.provider ?? ""
    post(APPCORE_EVENT_SIGNED_IN, LoginDocument(status, provider: provider, chosen))
  }

  func signOut(_ account: String, _ options: SignOutOptions) async throws {
    let outcome = try await core.signOut(
      account, removesOtherLogin: options.removesOtherLogin, forgetsRecords: options.forgets,
      delegate: EventDelegate(request: self, account: account))
    post(APPCORE_EVENT_SIGNED_OUT, LogoutDocument(outcome))
    if let failed = outcome.failures.first { throw failed.error }
  }

  /// If some cannot be signed out, the event names the others, and the request fails.
  func signOutOfAll(_ options: SignOutOptions) async throws {
    let outcome = try await core.signOutOfAllAccounts(
      removesOtherLogins: options.removesOtherLogin, forgetsRecords: options.forgets,
      delegate: { EventDelegate(request: self, account: $0) })
    let failures = outcome.failures(in: core.configuration)
    let document = LogoutDocument(outcome)
    if failures == nil || !document.accounts.isEmpty { post(APPCORE_EVENT_SIGNED_OUT, document) }
    if let failures { throw failures }
  }

  func listOrganisations(account: String) async throws {
    let found = try await core.organisations(account: account)
    let chosen = try await core.organisationID(account: account)
    post(
      APPCORE_EVENT_ORGANISATIONS, OrganisationsDocument(account: account, chosen: chosen, found))
  }

  func chooseOrganisation(_ id: String, account: String) async throws {
    let found = try await core.organisations(account: account)
    guard let organisation = found.first(where: { $0.id == id }) else {
      throw Misuse.badArgument(message: "the login reaches no organisation '\(id)'")
    }
    try await core.chooseOrganisation(organisation, account: account)
  }

  /// Returns the organisation that the next sync reads, if it is known: the only one, or the one of
  /// the earlier login.
  private func organisation(
    of account: String, earlier: String?
  ) async throws -> Organisation? {
    let selection = try await core.organisationSelection(account: account, earlier: earlier)
    guard case .several(_, let kept) = selection else { return selection.settled }
    guard let kept else { return nil }
    try await core.chooseOrganisation(kept, account: account)
    return kept
  }
}

/// A delegate that asks a C program, by events, to show pages and codes to the user.
private struct EventDelegate: AuthenticationDelegate {
  let request: CoreRequest
  let account: String

  func showAuthorizationPage(_ url: URL) async throws {
    // First: the program may paste an address as soon as it has the event.
    request.redirects.expect()
    let isPage =
      if case .page? = SignInRedirect(authorizationPage: url) { true } else { false }
    request.post(
      APPCORE_EVENT_OPEN_URL,
      PageDocument(
        account: account, purpose: "sign-in", url: url.absoluteString, pasteRequired: isPage))
  }

  func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async {
    await request.redirects.read(accept)
  }

  func showDeviceCode(_ prompt: DeviceCodePrompt) async throws {
    request.post(APPCORE_EVENT_DEVICE_CODE, DeviceCodeDocument(account: account, prompt))
  }

  func showSignOutPage(_ url: URL) async throws {
    request.post(
      APPCORE_EVENT_OPEN_URL,
      PageDocument(
        account: account, purpose: "sign-out", url: url.absoluteString, pasteRequired: false))
  }
}

/// The document of `APPCORE_EVENT_OPEN_URL`.
struct PageDocument: Encodable {
  let schemaVersion = 1
  let account: String
  /// `sign-in` or `sign-out`.
  let purpose: String
  let url: String
  /// True if the browser ends on a page elsewhere, so that only a pasted address ends the sign-in.
  let pasteRequired: Bool
}

/// The document of `APPCORE_EVENT_DEVICE_CODE`.
struct DeviceCodeDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let userCode: String
  let verificationURL: String
  let completeURL: Nullable<String>
  let expiresAt: Timestamp

  init(account: String, _ prompt: DeviceCodePrompt) {
    self.account = account
    userCode = prompt.userCode
    verificationURL = prompt.verificationURL.absoluteString
    completeURL = Nullable(prompt.completeURL?.absoluteString)
    expiresAt = Timestamp(prompt.expiresAt).truncatedToSecond
  }
}

/// The document of `APPCORE_EVENT_ORGANISATIONS`.
struct OrganisationsDocument: Encodable {
  struct Entry: Encodable {
    let id: String
    let name: Nullable<String>
  }

  let schemaVersion = 1
  let account: String
  let chosen: Nullable<String>
  let organisations: [Entry]

  init(account: String, chosen: String?, _ found: [Organisation]) {
    self.account = account
    self.chosen = Nullable(chosen)
    organisations = found.map { Entry(id: $0.id, name: Nullable($0.name)) }
  }
}
