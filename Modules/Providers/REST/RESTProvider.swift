import Foundation
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

  package var traits: ProviderTraits {
    let authorization = description.authorization
    let baseURL = description.baseURL.absoluteString
    // The issuer's metadata supplies the endpoints that are empty.
    var traits =
      authorization.isTokenOnly
      ? ProviderTraits(baseURL: baseURL)
      : ProviderTraits(
        baseURL: baseURL, authorizationURL: authorization.authorizationURL ?? "",
        tokenURL: authorization.tokenURL ?? "")
    traits.issuer = authorization.issuer
    traits.revocationURL = authorization.revocationURL
    traits.deviceAuthorizationURL = authorization.deviceAuthorizationURL
    traits.tokenScheme = authorization.tokenScheme
    traits.scopes = authorization.scopes
    traits.redirectTenantParameter = authorization.redirectTenantParameter
    traits.refreshTokenReplay = authorization.refreshTokenReplay
    traits.refreshSendsRedirectURI = authorization.refreshSendsRedirectURI
    traits.rateLimits = description.rateLimits
    return traits
  }

  package func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)? {
    feed(Invoice.self, of: .invoices, in: context)
  }

  package func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)? {
    feed(Contact.self, of: .contacts, in: context)
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
