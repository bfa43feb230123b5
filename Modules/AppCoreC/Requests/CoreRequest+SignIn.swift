import AppCore
import Authentication
import Documents
import Models
import Providers

extension CoreRequest {
  /// Signs an account in.
  ///
  /// - Parameter replaces: true to replace a login of another server or client.
  func signIn(_ account: String, with method: SignInMethod, replaces: Bool) async throws {
    let earlier = try? await core.authenticator.storedLogin(of: account)
    let status = try await core.signIn(account, with: method, replacesOtherLogin: replaces)
    // The login is stored. A cancellation comes too late, and the next sync asks what is unknown.
    let chosen = try? await organisation(of: account, earlier: earlier?.organisationID)
    let provider = core.configuration.accounts[account]?.provider ?? ""
    post(.signedIn, LoginDocument(status, provider: provider, chosen))
  }

  /// Signs an account out.
  ///
  /// - Parameters:
  ///   - removesOtherLogin: true to remove a login of another server or client.
  ///   - forgets: true to delete the account's records.
  func signOut(_ account: String, removesOtherLogin: Bool, forgets: Bool) async throws {
    let outcome = try await core.signOut(
      account, removesOtherLogin: removesOtherLogin, forgetsRecords: forgets,
      delegate: EventDelegate(request: self, account: account))
    post(.signedOut, LogoutDocument(outcome))
    if let failed = outcome.failures.first { throw failed.error }
  }

  /// Signs out of every account; the parameters are those of
  /// ``signOut(_:removesOtherLogin:forgets:)``.
  ///
  /// If some cannot be signed out, the event names the others, and the request fails.
  func signOutOfAll(removesOtherLogins: Bool, forgets: Bool) async throws {
    let outcome = try await core.signOutOfAllAccounts(
      removesOtherLogins: removesOtherLogins, forgetsRecords: forgets,
      delegate: { EventDelegate(request: self, account: $0) })
    let failures = outcome.failures(in: core.configuration)
    let document = LogoutDocument(outcome)
    if failures == nil || !document.accounts.isEmpty { post(.signedOut, document) }
    if let failures { throw failures }
  }

  /// Reports the organisations that a login reaches.
  func listOrganisations(account: String) async throws {
    let found = try await core.organisations(account: account)
    let chosen = try await core.organisationID(account: account)
    post(
      .organisations, OrganisationsDocument(account: account, chosen: chosen, found))
  }

  /// Chooses one of the organisations that a login reaches.
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
