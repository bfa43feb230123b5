import Authentication
import Foundation

/// An entry of `accounts`, before defaults and environment variables are applied.
struct AccountSection {
  private enum Key: String, CaseIterable {
    case provider, clientID, clientSecretFile, clientAuthentication, scopes, resources, audience
    case redirectPort, tenantID
  }

  var provider: ConfigurationNode.Text?
  var clientID: String?
  var clientSecretFile: String?
  var clientAuthentication: OAuthClient.Authentication?
  var scopes: [String]?
  var resourceIndicators: [String]?
  var audience: String?
  var redirectPort: Int?
  var tenantID: String?

  init() {}

  init(_ node: ConfigurationNode) throws {
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .provider: provider = try value.locatedText()
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
      case .tenantID: tenantID = try value.text()
      }
    }
  }
}
