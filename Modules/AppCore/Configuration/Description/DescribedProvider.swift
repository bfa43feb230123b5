import Authentication
import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Sync

/// A provider that the configuration describes.
struct DescribedProvider {
  private enum Key: String, CaseIterable {
    case kind, baseURL, issuer, authorizationURL, tokenURL, revocationURL, deviceAuthorizationURL
    case scopes, refreshTokenReplay, refreshSendsRedirectURI, redirectTenantParameter
    case clientAuthentication, tokenScheme, headers, rateLimit, identity, resources
  }

  let provider: RESTProvider
  /// The method with which clients authenticate, unless an account sets its own.
  let clientAuthentication: OAuthClient.Authentication?

  /// Reads an entry of `providers` whose name belongs to no provider that has code.
  init(name: String, _ node: ConfigurationNode, known: [String]) throws {
    guard Account.isValid(name: name) else {
      throw node.error("expected a name of 1 to 64 letters, digits, '.', '_' or '-'")
    }
    var kind: String?
    var baseURL: String?
    var authorization = RESTAuthorization()
    var clientAuthentication: OAuthClient.Authentication?
    var headers: HTTPFields = [:]
    var rateLimits: [RateLimit] = []
    var identity: RESTIdentity?
    var resources: [RESTResource] = []
    try Self.requireKind(of: node, name, known)
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .kind: kind = try value.text()
      case .baseURL: baseURL = try value.serverAddress()
      case .issuer: authorization.issuer = try value.serverAddress()
      case .authorizationURL: authorization.authorizationURL = try value.serverAddress()
      case .tokenURL: authorization.tokenURL = try value.serverAddress()
      case .revocationURL: authorization.revocationURL = try value.serverAddress()
      case .deviceAuthorizationURL:
        authorization.deviceAuthorizationURL = try value.serverAddress()
      case .scopes: authorization.scopes = try value.texts()
      case .refreshTokenReplay: authorization.refreshTokenReplay = try value.refreshTokenReplay()
      case .redirectTenantParameter:
        authorization.redirectTenantParameter = try value.text()
      case .refreshSendsRedirectURI:
        authorization.refreshSendsRedirectURI = try value.boolean()
      case .clientAuthentication: clientAuthentication = try value.clientAuthentication()
      case .tokenScheme: authorization.tokenScheme = try TokenScheme(value)
      case .headers: headers = try value.headerFields()
      case .identity: identity = try RESTIdentity(value)
      case .rateLimit: rateLimits = try value.rateLimits()
      case .resources:
        try value.readKeys(Resource.self) { kind, value in
          resources.append(try RESTResource(kind, value))
        }
      }
    }
    guard kind == "rest" else {
      throw node.descendant(["kind"]).error("unknown kind; available: rest")
    }
    guard let url = baseURL.flatMap(URL.init(string:)) else {
      throw node.error(
        "baseURL is missing; set it to the API's address, such as https://api.example.com/v1")
    }
    do throws(RESTDescriptionError) {
      provider = RESTProvider(
        name: name,
        description: try RESTDescription(
          baseURL: url, authorization: authorization, headers: headers, rateLimits: rateLimits,
          identity: identity, resources: resources))
    } catch {
      throw node.descendant(error.keys).error(error.problem)
    }
    self.clientAuthentication = clientAuthentication
  }

  /// True if an account has to name an organisation because no sign-in names one.
  var needsTenant: Bool {
    provider.description.namesTenant
      && provider.description.authorization.redirectTenantParameter == nil
  }

  /// Requires the key `kind`; the message treats the entry as a mistyped provider name, the
  /// likelier mistake.
  private static func requireKind(
    of node: ConfigurationNode, _ name: String, _ known: [String]
  ) throws {
    guard node.child("kind") == nil else { return }
    throw node.error(
      CoreConfiguration.unknownProvider(name, available: known)
        + "; to describe a provider of your own, set kind: rest")
  }
}
