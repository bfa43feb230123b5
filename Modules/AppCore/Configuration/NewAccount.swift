import Authentication
import Foundation
public import Providers
import SecureStore
import SystemSupport

/// An account to add to the configuration, or the first one of a new configuration.
public struct NewAccount: Sendable {
  /// The account's part of the configuration.
  public var draft: ConfigurationDraft
  /// The client secret, for a new file that only its owner can read; `nil` if the draft names its
  /// file, or there is none.
  public var clientSecret: String?

  /// Creates an account from its draft.
  public init(_ draft: ConfigurationDraft, clientSecret: String? = nil) {
    (self.draft, self.clientSecret) = (draft, clientSecret)
  }

  /// Checks the values against what the provider needs for a sign-in.
  ///
  /// - Parameter provider: the provider's profile.
  /// - Throws: ``ConfigurationError`` with the value to correct.
  public func check(for provider: ProviderProfile) throws {
    func problem(_ key: String, _ text: String) -> ConfigurationError {
      ConfigurationError(source: draft.account, key: key, problem: text)
    }
    guard Account.isValid(name: draft.account) else {
      throw ConfigurationError(source: draft.account, problem: ConfigurationError.nameExpectation)
    }
    guard draft.environment == .production || provider.sandbox != nil else {
      throw problem("environment", "\(provider.title) has no sandbox")
    }
    if let page = draft.redirectURI,
      let reason = ConfigurationDraft.problem(ofRedirectURI: page)
    {
      throw problem("redirectURI", reason)
    }
    if let address = draft.baseURL, let reason = ConfigurationDraft.problem(ofAddress: address) {
      throw problem("baseURL", reason)
    }
    if provider.needsAddress, draft.baseURL == nil {
      throw problem("baseURL", provider.site ?? "\(provider.title) needs the address of your books")
    }
    if provider.needsOrganisation, draft.tenantID == nil {
      throw problem("tenantID", "\(provider.title) needs the identifier of your organisation")
    }
    guard let clientID = draft.clientID else {
      guard provider.hasSignIn, !provider.takesToken else { return }
      throw problem("clientID", "\(provider.title) needs the \(provider.clientIDName) of your app")
    }
    if let reason = provider.problem(ofClientID: clientID) { throw problem("clientID", reason) }
    if provider.hasClientSecret == true, clientSecret == nil, draft.clientSecretFile == nil {
      throw problem("clientSecret", "\(provider.title) needs the client secret of your app")
    }
    if provider.of(draft.environment).needsRedirectPage, draft.redirectURI == nil,
      draft.redirectPort == 0
    {
      throw problem(
        "redirectURI", "\(provider.title) takes https addresses only, such as one of your own")
    }
  }

  /// Writes the account: as a new configuration file, or in a file of its own beside one that
  /// exists, which stays unchanged.
  ///
  /// If it fails, none of the new files stays.
  ///
  /// - Parameters:
  ///   - path: the configuration file.
  ///   - replaces: true to replace a file that exists, and to keep a copy of it.
  /// - Throws: ``ConfigurationError`` if there is such an account, or a file cannot be written.
  public func save(to path: String, replaces: Bool = false) async throws -> SavedAccount {
    var (draft, created, earlier) = (draft, [String](), String?.none)
    let isNew = replaces || !FileManager.default.fileExists(atPath: path)
    do {
      if replaces { earlier = try ConfigurationDraft.keepCopy(of: path) }
      if let earlier { created.append(earlier) }
      if let clientSecret {
        let file =
          draft.clientSecretFile
          ?? ConfigurationDraft.clientSecretFile(of: draft.account, beside: path)
        try ConfigurationDraft.writeSecret(clientSecret, to: file)
        created.append(file)
        draft.clientSecretFile = file
      }
      guard isNew else {
        return SavedAccount(
          file: try await draft.addAccount(toConfiguration: path), earlierFile: nil)
      }
      try draft.write(to: path, replaces: replaces)
      return SavedAccount(file: path, earlierFile: earlier)
    } catch {
      for file in created { try? FileManager.default.removeItem(atPath: file) }
      throw error
    }
  }
}

/// The files of an account that was added to the configuration.
public struct SavedAccount: Sendable, Equatable {
  /// The file that configures the account.
  public let file: String
  /// The copy of the configuration that was replaced; `nil` if none was.
  public let earlierFile: String?
}

extension ApplicationCore {
  /// Adds an account to the configuration of this core, as `appcore setup` does: the first one
  /// creates the file, another one gets a file of its own beside it.
  ///
  /// This core does not change. Close it and create another one, which has the account; then sign
  /// in.
  ///
  /// - Parameters:
  ///   - account: the account. The secret store of its draft counts for a new file alone.
  ///   - keepsLoginsInFile: true to keep the logins of a new configuration in an encrypted file,
  ///     with a new key beside it, where there is no keyring.
  /// - Throws: ``ConfigurationError`` with the value to correct, or if there is such an account;
  ///   `SecretStoreError` if the store of logins cannot be used.
  public func addAccount(
    _ account: NewAccount, keepsLoginsInFile: Bool = false
  ) async throws -> SavedAccount {
    guard let path = configuration.file else {
      throw ConfigurationError(
        source: "accounts", problem: "accounts are added to a configuration file; there is none")
    }
    var account = account
    let name = account.draft.account
    let isNew = configuration.isFileMissing
    let provider = try configuration.provider(account.draft.provider)
    account.draft.useRedirect(of: provider.profile.of(account.draft.environment))
    try account.check(for: provider.profile)
    guard isNew || configuration.accounts[name] == nil else {
      throw ConfigurationError.nameTaken(source: path, key: "accounts.\(name)")
    }
    guard isNew, keepsLoginsInFile else {
      _ = try await secretStore.checkAvailability()
      return try await account.save(to: path)
    }
    let key = ConfigurationDraft.keyFile(beside: path)
    let isNewKey = try account.draft.useEncryptedFile(keyFile: key)
    do { return try await account.save(to: path) } catch {
      if isNewKey { try? FileManager.default.removeItem(atPath: key) }
      throw error
    }
  }
}

extension ProviderProfile {
  /// Returns the reason why a text is no client identifier; `nil` if it may be one.
  ///
  /// It never repeats the text, which may be a secret.
  package func problem(ofClientID text: String) -> String? {
    guard SecretText.isToken(text) else { return nil }
    return "this looks like an access token, which is a secret, and not like the \(clientIDName)"
  }
}

extension ConfigurationDraft {
  /// Takes the redirect URI that setup suggests, unless the draft has one.
  fileprivate mutating func useRedirect(of profile: ProviderProfile) {
    guard clientID != nil, redirectURI == nil, redirectPort == 0 else { return }
    guard !profile.needsRedirectPage else {
      redirectURI = profile.redirectURI
      return
    }
    (redirectHost, redirectPort) = (profile.redirectHost, Self.usualRedirectPort)
  }
}

/// The beginnings of tokens that vendors have published, to recognise one in the wrong place.
private enum SecretText {
  private static let beginnings = [
    "EAAA", "sq0atp-", "sq0csp-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "eyJ",
  ]

  static func isToken(_ text: String) -> Bool {
    beginnings.contains { text.hasPrefix($0) } || text.utf8.count > 200
  }
}
