package import Foundation
package import HTTPTypes
import Models
package import Networking
import Sync

/// A provider as a person describes it in the configuration: where it is, how one signs in, and how
/// its lists are read.
package struct RESTDescription: Sendable, Equatable {
  /// Stands for the account's organisation in paths, query items and header fields.
  package static let tenant = "{tenantID}"

  /// The address of the API.
  package let baseURL: URL
  /// How one signs in.
  package let authorization: RESTAuthorization
  /// Header fields of every request.
  package let headers: HTTPFields
  /// How often requests may be sent.
  package let rateLimits: [RateLimit]
  /// What it lists; invoices come first.
  package let resources: [RESTResource]
  /// How the server is asked whose records a login reads; `nil` where it does not tell.
  package let identity: RESTIdentity?
  /// Whether an organisation has to be known.
  package let namesTenant: Bool
  /// Whether each request of every list names it.
  private let namesTenantAlways: Bool

  /// Creates a description.
  ///
  /// - Throws: ``RESTDescriptionError`` where it contradicts itself or lacks something.
  package init(
    baseURL: URL, authorization: RESTAuthorization = RESTAuthorization(), headers: HTTPFields = [:],
    rateLimits: [RateLimit] = [], identity: RESTIdentity? = nil, resources: [RESTResource]
  ) throws(RESTDescriptionError) {
    guard Origin(baseURL) != nil, baseURL.query() == nil, baseURL.fragment() == nil else {
      throw RESTDescriptionError(
        "baseURL", problem: "an http or https URL without a query is expected")
    }
    try authorization.validate()
    if case .header(let name, _) = authorization.tokenScheme {
      try Self.require(headers, lack: name, "tokenScheme fills it with the token")
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
        problem: "resources is missing: what the provider lists, "
          + Resource.allCases.map(\.rawValue).joined(separator: " or "))
    }
    for resource in resources {
      do { try resource.validate() } catch {
        throw error.inside(resource.kind.rawValue).inside("resources")
      }
    }
    let headersNameTenant = headers.contains { $0.value.contains(Self.tenant) }
    let namesTenant =
      headersNameTenant || resources.contains(where: \.namesTenant)
      || identity?.path.contains(Self.tenant) == true
    guard namesTenant || authorization.redirectTenantParameter == nil else {
      throw RESTDescriptionError(
        "redirectTenantParameter", problem: "nothing here has a place for \(Self.tenant)")
    }
    self.namesTenant = namesTenant
    namesTenantAlways =
      headersNameTenant || resources.allSatisfy { $0.path.contains(Self.tenant) }
    self.identity = identity
    self.baseURL = baseURL
    self.authorization = authorization
    self.headers = headers
    self.rateLimits = rateLimits
    self.resources = Resource.allCases.compactMap { kind in
      resources.first { $0.kind == kind }
    }
  }

  /// How it is known whose records its lists hold.
  package var organisation: RESTOrganisation {
    if let identity { return .asked(identity) }
    return namesTenantAlways ? .named : .unknown
  }

  /// Requires that a field that is set otherwise is not described as well.
  private static func require(
    _ headers: HTTPFields, lack name: HTTPField.Name, _ reason: String
  ) throws(RESTDescriptionError) {
    guard let field = headers.first(where: { $0.name == name }) else { return }
    throw RESTDescriptionError(
      "headers", field.name.rawName, problem: reason + " already; leave it out here")
  }
}
