import AppCore
import Authentication
import CAppCore
import Models
import Presentation
import Providers

// What a screen needs to set up accounts, for a thread that may block.
extension OpenCore {
  func providers() -> String {
    JSONText.encode(ProvidersDocument(core.configuration.allProviders))
  }

  func signInWays(account: String) throws -> String {
    JSONText.encode(try SignInWaysDocument(account, in: core.configuration))
  }

  func addAccount(_ name: String, _ options: NewAccountOptions) throws -> String {
    let (core, account) = (core, options.account(named: name))
    let saved = try BlockingResult.wait {
      try await core.addAccount(account, keepsLoginsInFile: options.usesEncryptedFile)
    }
    return JSONText.encode(SavedAccountDocument(account: name, file: saved.file))
  }
}

extension CoreRequest {
  func removeAccount(_ account: String, forgets: Bool) async throws {
    try await core.removeAddedAccount(account, forgetsRecords: forgets)
  }

  func renameAccount(_ account: String, to name: String) async throws {
    _ = try await core.renameAccount(account, to: name)
  }
}

struct NewAccountOptions {
  /// True to keep the logins of a new configuration in an encrypted file.
  let usesEncryptedFile: Bool
  private let draft: ConfigurationDraft
  private let clientSecret: String?

  init(_ choices: inout Choices) throws {
    guard let provider = try choices.text("provider") else {
      throw Misuse.badArgument(message: "provider is missing")
    }
    var draft = ConfigurationDraft(provider: provider)
    draft.clientID = try choices.text("clientID")
    clientSecret = try choices.text("clientSecret")
    draft.baseURL = try choices.text("baseURL")
    draft.tenantID = try choices.text("tenantID")
    draft.redirectURI = try choices.text("redirectURI")
    draft.redirectHost = try choices.word("redirectHost") ?? .address
    draft.redirectPort = try choices.count("redirectPort", atLeast: 1) ?? 0
    draft.environment = try choices.word("environment") ?? .production
    usesEncryptedFile = try choices.flag("encryptedFile")
    self.draft = draft
  }

  func account(named name: String) -> NewAccount {
    var draft = draft
    draft.account = name
    return NewAccount(draft, clientSecret: clientSecret)
  }
}

extension Choices {
  fileprivate mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws -> Word? {
    guard let text = try text(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw Misuse.badArgument(message: "unknown \(name) '\(text)'; available: \(known)")
    }
    return word
  }
}

/// The document of `appcore_providers`.
struct ProvidersDocument: Encodable {
  struct Entry: Encodable {
    let name: String
    let title: String
    let records: String
    let reads: String
    /// The ways to sign in, the usual one first.
    let signIn: [String]
    let registrationURL: Nullable<String>
    let steps: Nullable<String>
    let sandboxSteps: Nullable<String>
    let tokenSteps: Nullable<String>
    let tokenName: String
    let clientIDName: String
    let redirectName: String
    /// The redirect URI to register; `null` for one that the user has to own.
    let redirectURI: Nullable<String>
    let needsRedirectPage: Bool
    /// `required`, `none`, or `optional` if it depends on the app.
    let clientSecret: String
    let hasSandbox: Bool
    let listsOrganisations: Bool
    /// The address to set as `baseURL` of an account, in words; `null` if it is the same for all.
    let site: Nullable<String>
    /// True if an account has to set it.
    let needsAddress: Bool
    /// True if an account has to name its organisation, as `tenantID`.
    let needsOrganisation: Bool
    /// True if it is described from the vendor's documentation, and was not tried with its servers.
    let isFromDocumentation: Bool
  }

  let schemaVersion = 1
  let providers: [Entry]

  init(_ all: [any Provider]) {
    providers = all.map { provider in
      let profile = provider.profile
      return Entry(
        name: provider.name, title: profile.title, records: profile.records, reads: profile.reads,
        signIn: profile.signInWays.map(\.rawValue),
        registrationURL: Nullable(profile.registrationURL), steps: Nullable(profile.steps),
        sandboxSteps: Nullable(profile.sandboxSteps), tokenSteps: Nullable(profile.tokenSteps),
        tokenName: profile.tokenName, clientIDName: profile.clientIDName,
        redirectName: profile.redirectName, redirectURI: Nullable(profile.usualRedirectURI),
        needsRedirectPage: profile.needsRedirectPage,
        clientSecret: profile.hasClientSecret.map { $0 ? "required" : "none" } ?? "optional",
        hasSandbox: profile.sandbox != nil, listsOrganisations: profile.listsOrganisations,
        site: Nullable(profile.site), needsAddress: profile.needsAddress,
        needsOrganisation: profile.needsOrganisation,
        isFromDocumentation: profile.isFromDocumentation)
    }
  }
}

/// The document of `appcore_sign_in_ways`.
struct SignInWaysDocument: Encodable {
  let schemaVersion = 1
  let account: String
  /// The account that has the login: another one, if this one shares it.
  let login: String
  let provider: String
  let title: String
  /// The ways to sign in, the usual one first.
  let signIn: [String]
  let tokenName: String
  let registrationURL: Nullable<String>
  let redirectURI: Nullable<String>
  /// True if the user pastes the address on which the browser ends.
  let pasteRequired: Bool

  init(_ account: String, in configuration: CoreConfiguration) throws {
    self.account = account
    signIn = try configuration.signInWays(account: account).map(\.rawValue)
    login = configuration.login(of: account)
    provider = configuration.accounts[account]?.provider ?? ""
    title = configuration.title(ofProvider: provider)
    tokenName = configuration.tokenName(account: account)
    registrationURL = Nullable(try configuration.provider(provider).profile.registrationURL)
    redirectURI = Nullable(configuration.redirectURI(account: account))
    pasteRequired = configuration.redirectPage(account: account) != nil
  }
}

/// The document of `appcore_add_account`.
struct SavedAccountDocument: Encodable {
  let schemaVersion = 1
  let account: String
  /// The file that configures the account.
  let file: String
}
