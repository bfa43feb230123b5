import Authentication
import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Sync

struct DescribedProvider {
  private enum Key: String, CaseIterable {
    case kind, title, website, signInHelp, site, tokenName
    case baseURL, issuer, authorizationURL, tokenURL, revocationURL, deviceAuthorizationURL
    case scopes, refreshTokenReplay, refreshSendsRedirectURI, redirectTenantParameter
    case clientAuthentication, tokenScheme, secretHeader, headers, rateLimit, identity, resources
  }

  var provider: RESTProvider
  /// The method with which clients authenticate, unless an account sets its own.
  let clientAuthentication: OAuthClient.Authentication?

  /// Reads an entry of `providers` whose name belongs to no provider that has code.
  init(name: String, _ node: ConfigurationNode, known: [String]) throws {
    guard Account.isValid(name: name) else {
      throw node.error(ConfigurationError.nameExpectation)
    }
    var kind: String?
    var vendor = RESTVendor()
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
      case .title: vendor.title = try value.text()
      case .website: vendor.website = try value.text()
      case .signInHelp: vendor.signInHelp = try value.text()
      case .site: vendor.site = try value.text()
      case .tokenName: vendor.tokenName = try value.text()
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
      case .clientAuthentication:
        clientAuthentication = try value.word(OAuthClient.Authentication.words)
      case .tokenScheme: authorization.tokenScheme = try TokenScheme(value)
      case .secretHeader:
        authorization.secretHeader = try TokenScheme.headerName(value)
      case .headers: headers = try value.headerFields()
      case .identity: identity = try RESTIdentity(value)
      case .rateLimit: rateLimits = try value.rateLimits()
      case .resources:
        try value.readKeys(named: Resource.describedNames) { name, value in
          guard let resource = Resource(rawValue: name) else { return }
          // A kind may have several lists.
          guard resource.isMain, let lists = value.elements else {
            return resources.append(try RESTResource(resource, value))
          }
          for (position, list) in lists.enumerated() {
            resources.append(try RESTResource(Resource(resource.kind, at: position), list))
          }
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
          identity: identity, resources: resources),
        vendor: vendor)
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

extension TokenScheme {
  private enum Key: String, CaseIterable { case header, prefix }

  /// Reads how requests carry the token: the name of a scheme, or the header field for the token.
  init(_ node: ConfigurationNode) throws {
    guard !node.isText else {
      switch try node.text() {
      case "bearer": self = .bearer
      case "basic": self = .basic
      // The value may be the token itself, so the message does not repeat it.
      default:
        throw node.error(
          "expected bearer, basic or { header: NAME }; do not write the token itself into this file",
          hint: Hint("Pass the token with", ["login", "--token-stdin"]))
      }
      return
    }
    var name: HTTPField.Name?
    var prefix = ""
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .header: name = try Self.headerName(value)
      case .prefix: prefix = try value.text()
      }
    }
    guard let name else {
      throw node.error("header is missing; set it to the name of the field, such as X-API-TOKEN")
    }
    guard HTTPField.isValidValue(prefix + "x") else {
      throw node.descendant(["prefix"]).error(
        "expected a text without control characters and leading space")
    }
    self = .header(name, prefix: prefix)
  }

  /// Reads the name of a header field for the token; of the fields that a configuration must not
  /// set, only `Authorization` is allowed.
  fileprivate static func headerName(_ node: ConfigurationNode) throws -> HTTPField.Name {
    let name = try node.fieldName()
    if name != .authorization, let reason = ConfigurationNode.refusal(of: name) {
      throw node.error(reason)
    }
    guard TokenScheme.header(name).isSafe else {
      throw node.error("this field has another meaning, and redirects carry it to other servers")
    }
    return name
  }
}

extension RESTIdentity {
  private enum Key: String, CaseIterable { case path, field }

  /// Reads the request that returns the organisation whose records a login can read.
  init(_ node: ConfigurationNode) throws {
    var path: String?
    var field: RESTPath?
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: path = try value.text()
      case .field: field = try value.fieldPath()
      }
    }
    guard let path, let field else {
      throw node.error(
        "path and field are required to identify the organisation of a login, such as "
          + "{ path: /me, field: organisation.id }")
    }
    self.init(path: path, field: field)
  }
}
