import Foundation
package import HTTPTypes
import Models
import Networking
import Sync

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
    let records = description.resources.map(\.kind.words).joined(separator: ", ")
    let isIncremental = description.resources.first?.isIncremental == true
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

  package func lists(in context: ProviderContext) -> [ProviderList] {
    description.resources.map { described in
      switch described.kind.kind {
      case .invoices: .invoices(feed(of: described, in: context), as: described.kind)
      case .payments: .payments(feed(of: described, in: context), as: described.kind)
      case .contacts: .contacts(feed(of: described, in: context), as: described.kind)
      }
    }
  }

  package func requestFields(in context: ProviderContext) -> HTTPFields {
    RESTRequests.fields(description.headers, tenantID: context.tenantID)
  }

  private func feed<Record: RESTRecord>(
    of described: RESTResource, in context: ProviderContext
  ) -> RESTFeed<Record> {
    RESTFeed(
      Record.self, provider: name, resource: described, baseURL: context.baseURL,
      headers: description.headers, tenantID: description.namesTenant ? context.tenantID : nil,
      organisation: description.organisation, others: description.resources,
      timeZone: context.timeZone)
  }
}
