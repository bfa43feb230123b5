/// The facts about a provider that `appcore setup` shows to a user.
///
/// A front end's own provider can state them as the built-in ones do.
public struct ProviderFacts: Sendable, Equatable {
  /// The page on which the user registers an app, or else gets a token.
  public var registrationURL: String?
  /// The steps on that page that are easily missed, in the vendor's own words.
  public var steps: String?
  /// The same for an app of the sandbox.
  public var sandboxSteps: String?
  /// The records that are fetched, such as `invoices, bills`; `nil` takes what the feeds show.
  public var records: String?
  /// The part of the list that a sync reads; `nil` takes what the feed's traits say.
  public var reads: String?
  /// The ways to sign in; `nil` takes what the traits say.
  public var signIn: String?
  /// The provider's word for what a user passes instead of a sign-in in a browser.
  public var tokenName = "access token"
  /// The provider's word for the client identifier.
  public var clientIDName = "client ID"
  /// The provider's word for the redirect URI.
  public var redirectName = "redirect URI"
  /// True if an app for the sign-in has a client secret, false if it has none; `nil` if it depends.
  public var hasClientSecret: Bool?
  /// True if an account without a client identifier passes a token.
  public var takesToken = false
  /// True if a user registers an app for a sign-in in a browser; false if a token is the usual way.
  public var registersApp = true

  /// Creates facts of which nothing is known.
  public init() {}
}
