import Foundation
package import HTTPTypes
package import Models
import Networking
package import Sync

/// A provider that the user has described.
package struct RESTProvider: Provider {
  package let name: String
  /// The user's description of the provider.
  package let description: RESTDescription

  package init(name: String, description: RESTDescription) {
    self.name = name
    self.description = description
  }

  package var profile: ProviderProfile {
    let authorization = description.authorization
    let baseURL = description.baseURL.absoluteString
    let listed = Resource.allCases.filter { kind in
      description.resources.contains { $0.kind == kind }
    }
    let records = listed.map(\.rawValue).joined(separator: ", ")
    let isIncremental = description.resources.contains { $0.kind == .invoices && $0.isIncremental }
    let reads = isIncremental ? "what changed" : "everything"
    // The issuer's metadata supplies the endpoints that are empty.
    var profile =
      authorization.isTokenOnly
      ? ProviderProfile(title: name, records: records, reads: reads, baseURL: baseURL)
      : ProviderProfile(
        title: name, records: records, reads: reads, baseURL: baseURL,
        authorizationURL: authorization.authorizationURL ?? "",
        tokenURL: authorization.tokenURL ?? "")
    if authorization.deviceAuthorizationURL != nil { profile.signIn += ", or device" }
    profile.issuer = authorization.issuer
    profile.revocationURL = authorization.revocationURL
    profile.deviceAuthorizationURL = authorization.deviceAuthorizationURL
    profile.tokenScheme = authorization.tokenScheme
    profile.scopes = authorization.scopes
    profile.redirectTenantParameter = authorization.redirectTenantParameter
    profile.refreshTokenReplay = authorization.refreshTokenReplay
    profile.refreshSendsRedirectURI = authorization.refreshSendsRedirectURI
    profile.rateLimits = description.rateLimits
    return profile
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    feed(Invoice.self, of: .invoices, in: context)
  }

  package func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)? {
    feed(Contact.self, of: .contacts, in: context)
  }

  package func requestFields(in context: ProviderContext) -> HTTPFields {
    RESTRequests.fields(description.headers, tenantID: context.tenantID)
  }

  private func feed<Record: RESTRecord>(
    _: Record.Type, of resource: Resource, in context: ProviderContext
  ) -> RESTFeed<Record>? {
    guard let described = description.resources.first(where: { $0.kind == resource }) else {
      return nil
    }
    return RESTFeed(
      Record.self, provider: name, resource: described, baseURL: context.baseURL,
      headers: description.headers, tenantID: description.namesTenant ? context.tenantID : nil,
      organisation: description.organisation, others: description.resources,
      timeZone: context.timeZone)
  }
}
