import Authentication
import Foundation

/// An entry of `accounts`, before defaults and environment variables are applied.
struct AccountSection {
  private enum Key: String, CaseIterable {
    case provider, login, clientID, clientSecretFile, clientAuthentication, scopes, resources
    case audience, redirectPort, tenantID
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
  var redirectPort: Int?
  var tenantID: ConfigurationNode.Text?
  /// The section itself, for an error about a missing key; `nil` if no file has it.
  private(set) var node: ConfigurationNode?
  /// The first key that a login has, not an account that shares one.
  private(set) var loginKey: ConfigurationNode?

  init() {}

  init(_ node: ConfigurationNode) throws {
    self.node = node
    try node.readKeys(Key.self) { key, value in
      if ![.provider, .login, .tenantID].contains(key) { loginKey = loginKey ?? value }
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
      case .redirectPort: redirectPort = try value.integer(in: 0...65_535)
      case .tenantID: tenantID = try value.locatedText()
      }
    }
  }
}
