package import Authentication
package import Foundation
package import HTTPTypes
import JSONReading
import Models
package import Networking
import Sync

/// A provider as the user describes it in the configuration: its address, its sign-in and its
/// lists.
package struct RESTDescription: Sendable, Equatable {
  package static let tenant = "{tenantID}"

  package static func filled(_ text: String, tenantID: String?) -> String {
    text.replacing(tenant, with: tenantID ?? "")
  }

  package let baseURL: URL
  package let authorization: RESTAuthorization
  package let headers: HTTPFields
  package let rateLimits: [RateLimit]
  /// The described lists, invoices first.
  package let resources: [RESTResource]
  package let identity: RESTIdentity?
  package let namesTenant: Bool
  /// True if a header field, or the path or a query item of every list, names the organisation.
  private let namesTenantAlways: Bool

  /// Creates a description.
  ///
  /// - Throws: ``RESTDescriptionError`` if the description contradicts itself or is incomplete.
  package init(
    baseURL: URL, authorization: RESTAuthorization = RESTAuthorization(), headers: HTTPFields = [:],
    rateLimits: [RateLimit] = [], identity: RESTIdentity? = nil, resources: [RESTResource]
  ) throws(RESTDescriptionError) {
    guard Origin(baseURL) != nil, baseURL.query() == nil, baseURL.fragment() == nil else {
      throw RESTDescriptionError(
        "baseURL", problem: "expected an http or https URL without a query")
    }
    try authorization.validate()
    if case .header(let name, _) = authorization.tokenScheme {
      try Self.require(headers, lack: name, "tokenScheme fills it with the token")
    }
    if let name = authorization.secretHeader {
      try Self.require(headers, lack: name, "secretHeader fills it with the client secret")
    }
    if let identity {
      do { try RESTResource.check(path: identity.path, "path") } catch {
        throw error.inside("identity")
      }
    }
    for resource in resources {
      guard let name = resource.changes.watermark?.header else { continue }
      try Self.require(headers, lack: name, "changes of \(resource.kind) sets it")
    }
    guard !resources.isEmpty else {
      throw RESTDescriptionError(
        problem: "resources is missing; describe what the provider lists, "
          + Resource.Kind.allCases.map(\.rawValue).joined(separator: " or "))
    }
    for resource in resources {
      do { try resource.validate() } catch {
        throw error.inside(resource.kind.rawValue).inside("resources")
      }
    }
    try Self.requireDifferentLists(resources)
    try Self.requireOneDocument(resources)
    try Self.requirePaymentsOnce(resources)
    let headersNameTenant = headers.contains { $0.value.contains(Self.tenant) }
    let namesTenant =
      headersNameTenant || resources.contains(where: \.namesTenant)
      || identity?.path.contains(Self.tenant) == true
    guard namesTenant || authorization.redirectTenantParameter == nil else {
      throw RESTDescriptionError(
        "redirectTenantParameter",
        problem: "no path, query or header uses \(Self.tenant); remove it")
    }
    self.namesTenant = namesTenant
    namesTenantAlways =
      headersNameTenant
      || resources.allSatisfy { list in
        ([list.path] + list.query.values.joined()).contains { $0.contains(Self.tenant) }
      }
    self.identity = identity
    self.baseURL = baseURL
    self.authorization = authorization
    self.headers = headers
    self.rateLimits = rateLimits
    // In the order of their kinds, and within one in that of the description.
    self.resources = Resource.Kind.allCases.flatMap { kind in
      resources.filter { $0.kind.kind == kind }
    }
  }

  package var organisation: RESTOrganisation {
    if let identity { return .asked(identity) }
    return namesTenantAlways ? .named : .unknown
  }

  /// Requires that no two lists of a kind are the same rows.
  ///
  /// A row that one of them calls deleted would be deleted for both, and each row stored twice.
  private static func requireDifferentLists(
    _ resources: [RESTResource]
  ) throws(RESTDescriptionError) {
    for (index, list) in resources.enumerated() {
      let isSame = resources.prefix(index).contains { other in
        other.kind.kind == list.kind.kind && other.path == list.path && other.query == list.query
          && other.rows == list.rows && other.elements == list.elements
      }
      guard isSame else { continue }
      throw RESTDescriptionError(
        "resources", list.kind.kind.rawValue,
        problem: "two lists have the same path, query, rows and elements, so each row is in both, "
          + "and 'deleted' of one deletes it in the other; write one list whose maps tell the rows "
          + "apart, or two with different query items")
    }
  }

  /// Requires that the type of an invoice says which list's file is its own.
  private static func requireOneDocument(
    _ resources: [RESTResource]
  ) throws(RESTDescriptionError) {
    for type in InvoiceType.allCases {
      let lists = resources.filter { $0.document != nil && $0.lists(type) }
      guard lists.count > 1, let last = lists.last, last.document != lists[0].document
      else { continue }
      throw RESTDescriptionError(
        "resources", last.kind.rawValue, "document",
        problem: "another list has a document of the type \(type.rawValue); keep one of them")
    }
  }

  /// Requires that a payment inside an invoice can be recognised in a list of payments.
  private static func requirePaymentsOnce(
    _ resources: [RESTResource]
  ) throws(RESTDescriptionError) {
    guard resources.contains(where: { $0.kind.kind == .payments }) else { return }
    for list in resources {
      guard let inside = list.fields.lists["payments"], inside.fields["id"] == nil else { continue }
      throw RESTDescriptionError(
        "resources", list.kind.rawValue, "fields", "payments",
        problem:
          "there is a list of payments too, so each payment would count twice; remove one of "
          + "them, or give the payments here the id that they have there")
    }
  }

  private static func require(
    _ headers: HTTPFields, lack name: HTTPField.Name, _ reason: String
  ) throws(RESTDescriptionError) {
    guard let field = headers.first(where: { $0.name == name }) else { return }
    throw RESTDescriptionError(
      "headers", field.name.rawName, problem: reason + " already; remove it here")
  }
}

/// An error in a description, with the keys that lead to it.
package struct RESTDescriptionError: Error, Sendable, Equatable {
  /// The keys that lead to the error, outermost first, relative to the validated part.
  package var keys: [String]
  /// The error, and what to write instead.
  package let problem: String

  package init(_ keys: String..., problem: String) {
    self.keys = keys
    self.problem = problem
  }

  func inside(_ key: String) -> RESTDescriptionError {
    var error = self
    error.keys.insert(key, at: 0)
    return error
  }
}

/// The request that asks whose records a login reads.
package struct RESTIdentity: Sendable, Equatable {
  /// URL path of the response that names the organisation, such as `/me`.
  package let path: String
  package let field: RESTPath

  package init(path: String, field: RESTPath) {
    self.path = path
    self.field = field
  }

  /// Returns the organisation that a response names.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the response does not name it.
  func organisation(in body: [UInt8]) throws -> String {
    let value = try JSONReader.readWhole(body, as: path) { try $0.readValue() }
    guard let word = field.value(in: value)?.word, !word.isEmpty else {
      throw SyncError.unreadable(
        part: "\(path) \(field)", reason: "expected an identifier of the organisation")
    }
    return word
  }
}

/// The source that identifies the organisation of a described list.
package enum RESTOrganisation: Sendable {
  /// None: the user states the organisation at each sign-in.
  case unknown
  /// The requests: each one names the organisation, and the server enforces it.
  case named
  /// The server, in response to a request.
  case asked(RESTIdentity)
}

/// The sign-in and token settings of a described provider.
package struct RESTAuthorization: Sendable, Equatable {
  /// The issuer whose metadata names the endpoints that are missing here (RFC 8414).
  package var issuer: String?
  package var authorizationURL: String?
  package var tokenURL: String?
  /// URL of the revocation endpoint (RFC 7009).
  package var revocationURL: String?
  /// URL of the device authorization endpoint (RFC 8628).
  package var deviceAuthorizationURL: String?
  /// The server's reaction to a refresh token that was already used.
  package var refreshTokenReplay = RefreshTokenReplay.refused
  package var refreshSendsRedirectURI = false
  /// The redirect parameter that names the organisation after a sign-in.
  package var redirectTenantParameter: String?
  package var scopes: [String] = []
  package var tokenScheme = TokenScheme.bearer
  /// The header field for a second secret, the account's client secret.
  package var secretHeader: HTTPField.Name?

  package init() {}

  /// True if the provider has no sign-in, so that the user passes a token.
  package var isTokenOnly: Bool { issuer == nil && tokenURL == nil }

  func validate() throws(RESTDescriptionError) {
    guard secretHeader == nil || secretHeader != tokenScheme.field(for: "").name else {
      throw RESTDescriptionError(
        "secretHeader", problem: "tokenScheme fills this field with the token; name another")
    }
    let endpoints = [
      ("authorizationURL", authorizationURL), ("tokenURL", tokenURL),
      ("revocationURL", revocationURL), ("deviceAuthorizationURL", deviceAuthorizationURL),
    ]
    for (key, url) in endpoints where url != nil && issuer == nil {
      guard authorizationURL != nil, tokenURL != nil else {
        throw RESTDescriptionError(
          key,
          problem:
            "set authorizationURL and tokenURL together, or issuer; or remove all of them, and pass "
            + "a token with --token-stdin")
      }
    }
    if let parameter = redirectTenantParameter {
      guard !isTokenOnly else {
        throw RESTDescriptionError(
          "redirectTenantParameter",
          problem: "this provider has no sign-in, so no redirect; remove it")
      }
      guard !["code", "state", "error", "iss"].contains(parameter) else {
        throw RESTDescriptionError(
          "redirectTenantParameter", problem: "OAuth defines another meaning for this parameter")
      }
    }
    guard scopes.isEmpty || !isTokenOnly else {
      throw RESTDescriptionError(
        "scopes", problem: "scopes need issuer or tokenURL; remove them, or set one")
    }
  }
}
