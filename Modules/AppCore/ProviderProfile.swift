import Foundation
import Providers
import Sync

/// The facts about a provider that a user wants to know before choosing it.
public struct ProviderProfile: Sendable, Equatable {
  /// The name in the configuration.
  public let name: String
  /// The provider's own spelling of its name.
  public let displayName: String
  /// The page on which the user gets a client identifier, or else a token; `nil` if it is unknown.
  public let registrationURL: String?
  /// The steps on that page that are easily missed; `nil` if there is nothing to say.
  public let registrationNote: String?
  /// The records that are fetched, such as `invoices, bills, contacts`.
  public let records: String
  /// The part of the list that a sync reads, such as `what changed`.
  public let reads: String
  /// The ways to sign in, such as `browser`.
  public let signIn: String
  /// The provider's word for what a user passes instead of a sign-in in a browser.
  public let tokenName: String
  /// True if an app for the sign-in has a client secret, false if it has none; `nil` if it depends.
  public let hasClientSecret: Bool?
  /// True if the user signs in in a browser; otherwise the user passes a token.
  public let signsInWithBrowser: Bool
  /// True if the provider has a sign-in with a code for another device (RFC 8628).
  public let hasDeviceSignIn: Bool
  /// True if contacts are synced as well as invoices.
  public let listsContacts: Bool
  /// True if a sync reads changes only; false if it reads everything each time.
  public let isIncremental: Bool

  init(_ provider: any Provider) {
    let traits = provider.traits
    let registration = Self.registrations[provider.name]
    let facts = Self.facts[provider.name]
    name = provider.name
    displayName = provider.displayName
    registrationURL = registration?.url
    registrationNote = registration?.note
    signsInWithBrowser = Self.signsInWithBrowser(provider)
    hasDeviceSignIn = traits.deviceAuthorizationURL != nil
    let context = URL(string: traits.baseURL).map {
      ProviderContext(account: "default", baseURL: $0, tenantID: "0")
    }
    listsContacts = context.map { provider.contacts(in: $0) != nil } ?? false
    let invoices = context.flatMap { provider.invoices(in: $0) }
    isIncremental = invoices.map { Self.isIncremental($0) } ?? false
    tokenName = Self.tokenName(provider)
    hasClientSecret = facts?.hasClientSecret
    records = facts?.records ?? (listsContacts ? "invoices, contacts" : "invoices")
    reads = facts?.reads ?? (isIncremental ? "what changed" : "everything")
    signIn =
      facts?.signIn
      ?? (signsInWithBrowser ? "browser" + (hasDeviceSignIn ? ", or device" : "") : tokenName)
  }

  /// Returns ``signsInWithBrowser`` of a provider, without the other facts.
  static func signsInWithBrowser(_ provider: any Provider) -> Bool {
    provider.traits.hasSignIn && registrations[provider.name]?.isForToken != true
  }

  /// Returns ``tokenName`` of a provider, without the other facts.
  static func tokenName(_ provider: any Provider) -> String {
    facts[provider.name]?.tokenName ?? "access token"
  }

  private static func isIncremental(_ feed: some ResourceFeed) -> Bool {
    switch (feed.traits.changes, feed.contents) {
    case (.watermark, _), (_, .versions): true
    case (.sweep, .records): false
    }
  }

  private struct Registration {
    let url: String
    let note: String
    var isForToken = false
  }

  private static let registrations = [
    "xero": Registration(
      url: "https://developer.xero.com/app/manage",
      note: "Create an app of the type \"Mobile or desktop app\"; it has no client secret."),
    "quickbooks": Registration(
      url: "https://developer.intuit.com/app/developer/dashboard",
      note: "Use the development keys: production keys need an https redirect URI."),
    "stripe": Registration(
      url: "https://dashboard.stripe.com/apikeys",
      note: "Create a restricted key that may read invoices.", isForToken: true),
    "square": Registration(
      url: "https://developer.squareup.com/apps",
      note: "Copy the access token: the browser sign-in needs an https redirect URI.",
      isForToken: true),
    "moneybird": Registration(
      url: "https://moneybird.com/user/applications",
      note: "Create an application for external use; it has a client ID and a secret."),
  ]
}

extension CoreConfiguration {
  /// The providers that accounts can name: the built-in ones, the front end's own, and those that
  /// the configuration describes.
  public var providerProfiles: [ProviderProfile] {
    ProviderCatalogue.all(in: self).map(ProviderProfile.init)
  }
}
