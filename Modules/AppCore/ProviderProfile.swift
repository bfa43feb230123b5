public import Authentication
import Foundation
public import Providers
import Sync

/// The facts about a provider that a user wants to know before choosing it.
public struct ProviderProfile: Sendable, Equatable {
  /// The name in the configuration.
  public let name: String
  /// The provider's own spelling of its name.
  public let displayName: String
  /// The page on which the user gets a client identifier, or else a token; `nil` if it is unknown.
  public let registrationURL: String?
  /// The records that are fetched, such as `invoices, bills, contacts`.
  public let records: String
  /// The part of the list that a sync reads, such as `what changed`.
  public let reads: String
  /// The ways to sign in, such as `browser`.
  public let signIn: String
  /// The provider's word for what a user passes instead of a sign-in in a browser.
  public let tokenName: String
  /// The provider's word for the client identifier.
  public let clientIDName: String
  /// The provider's word for the redirect URI.
  public let redirectName: String
  /// True if an app for the sign-in has a client secret, false if it has none; `nil` if it depends.
  public let hasClientSecret: Bool?
  /// True if the user signs in in a browser; otherwise the user passes a token.
  public let signsInWithBrowser: Bool
  /// True if an account without a client identifier passes a token.
  public let takesToken: Bool
  /// True if the provider has a sign-in with a code for another device (RFC 8628).
  public let hasDeviceSignIn: Bool
  /// True if contacts are synced as well as invoices.
  public let listsContacts: Bool
  /// True if a sync reads changes only; false if it reads everything each time.
  public let isIncremental: Bool
  /// True if the provider has a sandbox, which an account's `environment` selects.
  public let hasSandbox: Bool
  private let registrations: [ProviderEnvironment: Registration]

  /// The values of a registration that depend on the environment.
  private struct Registration: Equatable {
    let note: String?
    let needsRedirectPage: Bool
    let redirectURI: String?
    let redirectHost: OAuthClient.LoopbackHost
  }

  init(_ provider: any Provider) {
    let traits = provider.traits
    let facts = traits.facts
    name = provider.name
    displayName = provider.displayName
    registrationURL = facts.registrationURL
    signsInWithBrowser = Self.signsInWithBrowser(provider)
    takesToken = facts.takesToken
    hasDeviceSignIn = traits.deviceAuthorizationURL != nil
    let context = URL(string: traits.baseURL).map {
      ProviderContext(account: "default", baseURL: $0, tenantID: "0")
    }
    listsContacts = context.map { provider.contacts(in: $0) != nil } ?? false
    let invoices = context.flatMap { provider.invoices(in: $0) }
    isIncremental = invoices.map { Self.isIncremental($0) } ?? false
    tokenName = facts.tokenName
    clientIDName = facts.clientIDName
    redirectName = facts.redirectName
    hasClientSecret = facts.hasClientSecret
    hasSandbox = traits.sandbox != nil
    records = facts.records ?? (listsContacts ? "invoices, contacts" : "invoices")
    reads = facts.reads ?? (isIncremental ? "what changed" : "everything")
    signIn =
      facts.signIn
      ?? (signsInWithBrowser ? "browser" + (hasDeviceSignIn ? ", or device" : "") : tokenName)
    registrations = Dictionary(
      uniqueKeysWithValues: ProviderEnvironment.allCases.map { environment in
        let own = traits.of(environment)
        return (
          environment,
          Registration(
            note: environment == .sandbox ? facts.sandboxSteps : facts.steps,
            needsRedirectPage: own.needsRedirectPage, redirectURI: own.redirectURI,
            redirectHost: own.redirectHost)
        )
      })
  }

  /// Returns the steps of a registration that are easily missed; `nil` if there is nothing to say.
  public func registrationNote(for environment: ProviderEnvironment = .production) -> String? {
    registrations[environment]?.note
  }

  /// Returns true if only https redirect URIs can be registered.
  public func needsRedirectPage(in environment: ProviderEnvironment) -> Bool {
    registrations[environment]?.needsRedirectPage ?? false
  }

  /// Returns the vendor's page that may be registered as redirect URI; `nil` if there is none.
  public func redirectURI(in environment: ProviderEnvironment) -> String? {
    registrations[environment]?.redirectURI
  }

  /// Returns the usual host of a redirect URI on this machine.
  public func redirectHost(in environment: ProviderEnvironment) -> OAuthClient.LoopbackHost {
    registrations[environment]?.redirectHost ?? .address
  }

  /// Returns ``signsInWithBrowser`` of a provider, without the other facts.
  static func signsInWithBrowser(_ provider: any Provider) -> Bool {
    provider.traits.hasSignIn && provider.traits.facts.registersApp
  }

  private static func isIncremental(_ feed: some ResourceFeed) -> Bool {
    switch (feed.traits.changes, feed.contents) {
    case (.watermark, _), (_, .versions): true
    case (.sweep, .records): false
    }
  }
}

extension CoreConfiguration {
  /// The providers that accounts can name: the built-in ones, the front end's own, and those that
  /// the configuration describes.
  public var providerProfiles: [ProviderProfile] {
    ProviderCatalogue.all(in: self).map(ProviderProfile.init)
  }
}
