import Authentication
public import Providers
import SystemSupport

// The providers that accounts can name.
extension CoreConfiguration {
  /// The providers that accounts can name: the built-in ones, the front end's own, those that the
  /// configuration describes, and those whose description ships.
  public var allProviders: [any Provider] {
    let described = describedProviders.sorted { $0.key < $1.key }
    let own = Self.coded(with: providers) + described.map(\.value.provider)
    return own + ShippedDescriptions.providers(besides: own.map(\.name))
  }

  /// The names of those providers.
  public var providerNames: [String] { allProviders.map(\.name) }

  /// Returns a provider's own spelling of its name, such as `QuickBooks` for `quickbooks`; the name
  /// itself for an unknown provider.
  public func title(ofProvider name: String) -> String {
    (try? provider(name))?.profile.title ?? name
  }

  /// Returns `true` if the accounts of a provider can sign in; the others take a token.
  public func hasSignIn(_ provider: String) -> Bool {
    (try? self.provider(provider))?.profile.hasSignIn ?? true
  }

  /// Returns `true` if each sign-in to a provider connects one more organisation, unless the vendor
  /// has certified the app.
  public func connectsOneByOne(_ provider: String) -> Bool {
    (try? self.provider(provider))?.profile.connectsOneByOne ?? false
  }

  /// Returns `true` if a provider lists the organisations that a login reaches.
  public func listsOrganisations(_ provider: String) -> Bool {
    (try? self.provider(provider))?.profile.listsOrganisations ?? false
  }

  /// Returns the provider with a name.
  ///
  /// - Throws: ``ConfigurationError`` if there is none with that name.
  public func provider(_ name: String) throws -> any Provider {
    if let coded = Self.coded(with: providers).first(where: { $0.name == name }) { return coded }
    guard let described = try described(name) else {
      throw ConfigurationError(
        source: "provider", problem: Self.unknownProvider(name, available: providerNames))
    }
    return described.provider
  }

  /// Returns the provider of an account's login.
  func provider(ofAccount name: String) -> (any Provider)? {
    accounts[login(of: name)].flatMap { try? provider($0.provider) }
  }

  /// Returns true if the provider is one of appcore's own, which the sandbox can play.
  package func isBuiltIn(_ provider: String) -> Bool {
    BuiltInProviders.all.contains { $0.name == provider }
  }

  /// Returns true if a description of the provider is read: the configuration's, or one that ships.
  package func isDescribed(_ provider: String) -> Bool {
    ((try? described(provider)) ?? nil) != nil
  }

  /// Returns true if the provider's description is part of appcore, and the configuration has none.
  package func isShipped(_ provider: String) -> Bool {
    ((try? described(provider)) ?? nil)?.provider.isShipped == true
  }

  /// Returns the description of a provider: the configuration's, or else the one that ships.
  func described(_ provider: String) throws -> DescribedProvider? {
    try describedProviders[provider] ?? ShippedDescriptions.provider(provider)
  }

  /// Returns the providers that have code: the built-in ones and a front end's own.
  static func coded(with own: [any Provider]) -> [any Provider] { BuiltInProviders.all + own }

  /// Checks that each of a front end's own providers has a valid name that no other provider has.
  ///
  /// - Throws: ``ConfigurationError``.
  static func check(
    _ own: [any Provider], described: some Sequence<String> = EmptyCollection<String>()
  ) throws {
    var taken = Set(BuiltInProviders.all.map(\.name)).union(described)
    for name in own.map(\.name) {
      func problem(_ text: String) -> ConfigurationError {
        ConfigurationError(source: "providers", key: name, problem: text)
      }
      guard Account.isValid(name: name) else {
        throw problem(ConfigurationError.nameExpectation)
      }
      guard taken.insert(name).inserted else { throw problem("two providers have this name") }
    }
  }

  /// Returns the message for an unknown provider.
  static func unknownProvider(_ name: String, available: [String]) -> String {
    let meant = NearestWord.to(name, among: available)
    return "unknown provider '\(name)'; available: " + available.joined(separator: ", ")
      + (meant.map { "; did you mean '\($0)'?" } ?? "")
  }
}
