import Authentication
import Foundation
import Networking

/// What a configuration file says, before defaults and environment.
struct ConfigurationFile {
  var provider: String?
  var defaultAccount: String?
  var databasePath: String?
  var secretStore: SecretStoreChoice?
  var maximumDeletedPercent: Int?
  var accounts: [String: AccountEntry] = [:]
  var sessions: [String: SessionConfiguration] = [:]
  var providers: [String: ProviderEndpoints] = [:]
  var describedProviders: [String: DescribedProvider] = [:]
  /// The names of the providers that have code.
  let known: [String]

  init(known: [String]) {
    self.known = known
  }

  struct AccountEntry {
    var provider: String?
    var clientID: String?
    var clientSecretFile: String?
    var clientAuthentication: OAuthClient.Authentication?
    var scopes: [String]?
    var resources: [String]?
    var audience: String?
    var redirectPort: Int?
    var tenantID: String?
  }

  mutating func read(_ root: ConfigurationNode) throws {
    try root.readKeys(
      known: [
        "provider", "defaultAccount", "database", "sync", "secretStore", "accounts", "sessions",
        "providers",
      ]
    ) { key, value in
      switch key {
      case "provider": provider = try value.text()
      case "defaultAccount": defaultAccount = try value.text()
      case "database":
        let path = try value.text()
        guard path.hasPrefix("/") else { throw value.error("an absolute path is expected") }
        databasePath = path
      case "sync":
        try value.readKeys(known: ["maximumDeletedPercent"]) { _, value in
          maximumDeletedPercent = try value.integer(in: 0...100)
        }
      case "secretStore": secretStore = try SecretStoreChoice(value)
      case "accounts":
        try value.readEntries { name, value in
          guard Account.isValid(name: name) else {
            throw value.error("a name is 1 to 64 letters, digits, '.', '_' or '-'")
          }
          accounts[name] = try Self.account(value)
        }
      case "sessions":
        try value.readEntries { name, value in
          var session = CoreConfiguration.defaultSession(name)
          try session.read(value)
          // What a token endpoint is sent must never go anywhere else.
          guard name != "auth" || session.redirects == .none else {
            throw value.error("this session follows no redirects")
          }
          sessions[name] = session
        }
      default:
        try value.readEntries { name, value in
          if known.contains(name) {
            providers[name] = try Self.endpoints(value)
          } else {
            describedProviders[name] = try DescribedProvider(name: name, value, known: known)
          }
        }
      }
    }
  }

  private static func account(_ node: ConfigurationNode) throws -> AccountEntry {
    var entry = AccountEntry()
    try node.readKeys(known: [
      "provider", "clientID", "clientSecretFile", "clientAuthentication", "scopes", "resources",
      "audience", "redirectPort", "tenantID",
    ]) { key, value in
      switch key {
      case "provider": entry.provider = try value.text()
      case "clientID": entry.clientID = try value.text()
      case "clientSecretFile": entry.clientSecretFile = try value.text()
      case "clientAuthentication":
        entry.clientAuthentication = try value.clientAuthentication()
      case "scopes": entry.scopes = try value.texts()
      case "resources":
        let resources = try value.texts()
        for text in resources {
          // RFC 8707 section 2: absolute, and without a fragment.
          guard let url = URL(string: text), url.scheme != nil, url.fragment() == nil else {
            throw value.error("absolute URLs without a fragment are expected")
          }
        }
        entry.resources = resources
      case "audience": entry.audience = try value.text()
      case "redirectPort": entry.redirectPort = try value.integer(in: 0...65_535)
      default: entry.tenantID = try value.text()
      }
    }
    return entry
  }

  private static func endpoints(_ node: ConfigurationNode) throws -> ProviderEndpoints {
    var endpoints = ProviderEndpoints()
    try node.readKeys(known: [
      "baseURL", "issuer", "authorizationURL", "tokenURL", "revocationURL",
      "deviceAuthorizationURL",
    ]) { key, value in
      let text = try value.serverAddress()
      switch key {
      case "baseURL": endpoints.baseURL = text
      case "issuer": endpoints.issuer = text
      case "authorizationURL": endpoints.authorizationURL = text
      case "tokenURL": endpoints.tokenURL = text
      case "revocationURL": endpoints.revocationURL = text
      default: endpoints.deviceAuthorizationURL = text
      }
    }
    return endpoints
  }
}
