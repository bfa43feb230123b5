public import Authentication
import Foundation
public import Providers

/// The configuration of one account.
public struct AccountConfiguration: Sendable, Equatable {
  /// The provider's name, such as `xero`.
  public var provider: String
  /// The account whose login this one uses; `nil` for an account with a login of its own.
  ///
  /// Its ``tenantID`` then names its organisation. Client, scopes and tokens are those of the
  /// login.
  public var login: String?
  /// The client identifier that the provider issued.
  public var clientID: String?
  /// A file that holds the client secret, for a confidential client.
  public var clientSecretFile: String?
  /// The method with which the client authenticates to the token endpoint; `nil` takes the
  /// provider's.
  public var clientAuthentication: OAuthClient.Authentication?
  /// The scopes that a sign-in requests; `nil` takes the provider's usual set.
  public var scopes: [String]?
  /// The addresses of the APIs that tokens are for, as absolute URLs (Resource Indicators, RFC
  /// 8707).
  public var resourceIndicators: [String] = []
  /// The API that tokens are requested for, sent as `audience` to servers that need it.
  public var audience: String?
  /// The https page on which a sign-in in the browser ends, whose address the user pastes; `nil`
  /// takes the provider's, or else a port of this machine.
  public var redirectURI: String?
  /// The host of a redirect URI on this machine; `nil` takes the provider's.
  public var redirectHost: OAuthClient.LoopbackHost?
  /// The loopback port of the redirect URI; 0 takes a free one.
  public var redirectPort = 0
  /// The provider's servers: those with real books, or its sandbox.
  public var environment: ProviderEnvironment {
    get { endpoints.environment }
    set { endpoints.environment = newValue }
  }
  /// The address of the API, for a provider that has another one for each customer; `nil` takes the
  /// provider's.
  public var baseURL: String? {
    get { endpoints.baseURL }
    set { endpoints.baseURL = newValue }
  }
  /// The organisation, for a login that can access several.
  public var tenantID: String?
  /// The time zone in which the account's instants become days, a name of the IANA database such as
  /// `Europe/Berlin`; `nil` takes the one that the provider states.
  public var timeZone: String?
  /// The groups that the account is in, such as `monthly`.
  public var groups: [String] = []
  /// The number of requests a day that the account's app may send, if it is not the one that the
  /// provider allows any app.
  public var requestsPerDay: Int?
  /// The provider's addresses that replace the built-in ones.
  public var endpoints = ProviderEndpoints()

  /// Creates an account of a provider.
  public init(provider: String) {
    self.provider = provider
  }
}

extension AccountConfiguration {
  static let settings: [Setting<AccountConfiguration>] = [
    Setting(
      "provider", \.provider, .text, "Provider of this account, if it is not the one at the top",
      example: "quickbooks"),
    Setting(
      "login", \.login, .text, "Account whose login this one uses",
      "Client, scopes and addresses are those of the login.", example: "other"),
    Setting<AccountConfiguration>(
      "clientID", \.clientID, .text,
      "Client identifier, which the provider gave you when you registered an app",
      "An API key or a token needs none: `appcore login --token-stdin`.",
      example: "0123456789ABCDEF"
    ).overridden(by: "APPCORE_CLIENT_ID") { $0.clientID = $1 },
    Setting<AccountConfiguration>(
      "clientSecretFile", \.clientSecretFile, .filePath,
      "File with the client secret, for a confidential client or `--client-credentials`",
      "It is a path or the name of a systemd credential. Only its owner may read it (`chmod 600`).",
      example: "/etc/appcore/secret"
    ).overridden(by: "APPCORE_CLIENT_SECRET_FILE") { $0.clientSecretFile = $1 },
    Setting(
      "clientAuthentication", \.clientAuthentication, .word(OAuthClient.Authentication.words),
      "Method with which the client authenticates",
      default: .documented("the provider's"), example: "client_secret_basic"),
    Setting(
      "scopes", \.scopes, .texts(), "Scopes to request at sign-in",
      "`appcore login --scope` adds others to them. An OpenID provider may need `openid` and "
        + "`offline_access` for a login that lasts.", default: "as the provider requires",
      example: "[offline_access, accounting.invoices.read, accounting.payments.read]"),
    Setting(
      "resources", \.resourceIndicators, .resourceIndicators,
      "Addresses of the APIs that the tokens are for, as absolute URLs (RFC 8707)",
      "For servers that expect `audience`, set that instead.",
      example: "[https://api.example.com]"),
    Setting(
      "audience", \.audience, .text, "API that the tokens are for, as the parameter `audience`",
      example: "https://api.example.com"),
    Setting(
      "redirectURI", \.redirectURI, .redirectPage,
      "Page on which the sign-in ends, an https address exactly as it is registered",
      "You copy the address of that page from the browser and paste it. For QuickBooks, the "
        + "default is Intuit's own page.", example: "https://example.com/signed-in"),
    Setting(
      "redirectHost", \.redirectHost, .choice,
      "Host of a redirect URI on this machine", "Set it instead of `redirectURI`.",
      default: .documented("the one that the provider accepts"), example: "localhost"),
    Setting(
      "redirectPort", \.redirectPort, .integer(0...65_535),
      "Loopback port of the redirect URI",
      "The port 0 takes a free one. Set it for a provider that compares the whole redirect URI, and register "
        + "`http://127.0.0.1:PORT/callback` there."),
    Setting(
      "environment", \.environment, .choice, "Servers of the provider",
      "The sandbox of QuickBooks or Square has made-up books."),
    Setting(
      "baseURL", \.baseURL, .serverAddress,
      "Address of the API, for a provider that has another one for each customer",
      default: .documented("the provider's"), example: "https://your-site.example.com/api"),
    Setting(
      "tenantID", \.tenantID, .text, "Organisation, if the login reaches several",
      "It takes precedence over the one chosen at sign-in.",
      example: "00000000-0000-0000-0000-000000000000"),
    Setting(
      "timeZone", \.timeZone, .timeZone,
      "Time zone in which instants become days, an IANA name",
      default: .documented("the one that the provider states, or UTC"), example: "Europe/Berlin"),
    Setting(
      "groups", \.groups, .groupNames, "Groups of the account, such as `[monthly]`",
      "`--account @NAME` stands for every account of a group.", example: "[monthly]"),
    Setting(
      "requestsPerDay", \.requestsPerDay, .integer(1...10_000_000),
      "Requests a day that your app may send for this account",
      "Xero allows a free app 1000, and a paid one 5000. A session's `rateLimit` and another "
        + "`baseURL` take precedence.",
      default: .documented("what the provider allows any app"), example: "5000"),
  ]
}

extension SettingKind<[String]> {
  fileprivate static var groupNames: SettingKind {
    SettingKind { node in
      let names = try node.texts()
      guard names.allSatisfy(Account.isValid(name:)) else {
        throw node.error("expected names of letters, digits, '.', '_' and '-'")
      }
      return names
    } write: {
      $0.isEmpty ? nil : texts().write($0)
    }
  }

  fileprivate static var resourceIndicators: SettingKind {
    SettingKind { node in
      let resources = try node.texts()
      for text in resources {
        // RFC 8707 section 2: absolute, and without a fragment.
        guard let url = URL(string: text), url.scheme != nil, url.fragment() == nil else {
          throw node.error("expected absolute URLs without a fragment")
        }
      }
      return resources
    } write: {
      $0.isEmpty ? nil : texts().write($0)
    }
  }
}

/// An entry of `accounts`, with the places of its keys for errors that are found later.
struct AccountSection {
  /// The values of the file; defaults and environment variables come later.
  private(set) var values = AccountConfiguration(provider: "")
  /// The section itself, for an error about a missing key; `nil` if no file has it.
  private(set) var node: ConfigurationNode?
  /// The first key that a login has, not an account that shares one.
  private(set) var loginKey: ConfigurationNode?
  private var places: [String: ConfigurationNode] = [:]

  init() {}

  init(_ node: ConfigurationNode) throws {
    self.node = node
    let found = try node.read(AccountConfiguration.settings, into: &values)
    places = Dictionary(uniqueKeysWithValues: found)
    let shared = ["provider", "login", "tenantID", "timeZone"]
    loginKey = found.first { !shared.contains($0.0) }?.1
    if let page = places["redirectURI"],
      places["redirectHost"] != nil || places["redirectPort"] != nil
    {
      throw page.error(
        "a sign-in ends on this page or on this machine; remove this key, or redirectPort and "
          + "redirectHost")
    }
  }

  var provider: ConfigurationNode.Text? { text("provider", values.provider) }
  var login: ConfigurationNode.Text? { text("login", values.login) }
  var tenantID: ConfigurationNode.Text? { text("tenantID", values.tenantID) }

  private func text(_ key: String, _ value: String?) -> ConfigurationNode.Text? {
    guard let value, let node = places[key] else { return nil }
    return ConfigurationNode.Text(value: value, node: node)
  }
}
