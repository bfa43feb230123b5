package import Foundation
package import HTTPTypes
import Models
package import Networking
import Sync

/// A provider as the user describes it in the configuration: its address, its sign-in and its
/// lists.
package struct RESTDescription: Sendable, Equatable {
  /// Placeholder for the account's organisation in paths, query items and header fields.
  package static let tenant = "{tenantID}"

  /// The address of the API.
  package let baseURL: URL
  /// The sign-in and token settings.
  package let authorization: RESTAuthorization
  /// Header fields of every request.
  package let headers: HTTPFields
  /// The limits on the rate of requests.
  package let rateLimits: [RateLimit]
  /// The described lists, invoices first.
  package let resources: [RESTResource]
  /// The request that asks whose records a login reads; `nil` if the server has none.
  package let identity: RESTIdentity?
  /// True if any request names the organisation.
  package let namesTenant: Bool
  /// True if a header field or the path of every list names the organisation.
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
        "redirectTenantParameter",
        problem: "no path, query or header uses \(Self.tenant); remove it")
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

  /// The source that identifies the organisation of the lists.
  package var organisation: RESTOrganisation {
    if let identity { return .asked(identity) }
    return namesTenantAlways ? .named : .unknown
  }

  /// Requires that the description does not set a header field that appcore sets itself.
  private static func require(
    _ headers: HTTPFields, lack name: HTTPField.Name, _ reason: String
  ) throws(RESTDescriptionError) {
    guard let field = headers.first(where: { $0.name == name }) else { return }
    throw RESTDescriptionError(
      "headers", field.name.rawName, problem: reason + " already; remove it here")
  }
}
