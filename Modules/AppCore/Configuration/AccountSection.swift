import Authentication
import Foundation
import Providers

/// An entry of `accounts`, before defaults and environment variables are applied.
struct AccountSection {
  private enum Key: String, CaseIterable {
    case provider, login, clientID, clientSecretFile, clientAuthentication, scopes, resources
    case audience, redirectURI, redirectHost, redirectPort, environment, tenantID, timeZone
  }

  var provider: ConfigurationNode.Text?
  /// The account whose login this one uses.
  var login: ConfigurationNode.Text?
  var clientID: String?
  var clientSecretFile: String?
  var clientAuthentication: OAuthClient.Authentication?
  var scopes: [String]?
  var resourceIndicators: [String]?
  var audience: String?
  var redirectURI: String?
  var redirectHost: OAuthClient.LoopbackHost?
  var redirectPort: Int?
  var environment: ProviderEnvironment?
  var tenantID: ConfigurationNode.Text?
  var timeZone: String?
  /// The section itself, for an error about a missing key; `nil` if no file has it.
  private(set) var node: ConfigurationNode?
  /// The first key that a login has, not an account that shares one.
  private(set) var loginKey: ConfigurationNode?

  init() {}

  init(_ node: ConfigurationNode) throws {
    self.node = node
    try node.readKeys(Key.self) { key, value in
      if ![.provider, .login, .tenantID, .timeZone].contains(key) { loginKey = loginKey ?? value }
      switch key {
      case .provider: provider = try value.locatedText()
      case .login: login = try value.locatedText()
      case .clientID: clientID = try value.text()
      case .clientSecretFile: clientSecretFile = try value.filePath()
      case .clientAuthentication:
        clientAuthentication = try value.clientAuthentication()
      case .scopes: scopes = try value.texts()
      case .resources:
        let resources = try value.texts()
        for text in resources {
          // RFC 8707 section 2: absolute, and without a fragment.
          guard let url = URL(string: text), url.scheme != nil, url.fragment() == nil else {
            throw value.error("expected absolute URLs without a fragment")
          }
        }
        self.resourceIndicators = resources
      case .audience: audience = try value.text()
      case .redirectURI: redirectURI = try value.redirectPage()
      case .redirectHost: redirectHost = try value.choice(OAuthClient.LoopbackHost.self)
      case .redirectPort: redirectPort = try value.integer(in: 0...65_535)
      case .environment: environment = try value.choice(ProviderEnvironment.self)
      case .tenantID: tenantID = try value.locatedText()
      case .timeZone: timeZone = try value.timeZone().identifier
      }
    }
    if redirectURI != nil, redirectHost != nil || redirectPort != nil {
      throw node.descendant(["redirectURI"]).error(
        "a sign-in ends on this page or on this machine; remove this key, or redirectPort and "
          + "redirectHost")
    }
  }
}
