import Foundation
import Models
import Networking
import Storage
package import Sync

/// A provider that a person has described.
package struct RESTProvider: Provider {
  package let name: String
  /// What was described.
  package let description: RESTDescription

  package init(name: String, description: RESTDescription) {
    self.name = name
    self.description = description
  }

  package var traits: ProviderTraits {
    let authorization = description.authorization
    let baseURL = description.baseURL.absoluteString
    // An issuer names the endpoints that are left empty.
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

  package var resources: [String] { description.resources.map(\.name) }

  package func sync(of resource: String, in context: ProviderContext) -> ResourceSync? {
    guard let described = description.resources.first(where: { $0.name == resource }) else {
      return nil
    }
    return switch resource {
    case "invoices":
      context.sync(invoices: feed(Invoice.self, described, context))
    case "contacts":
      context.sync(contacts: feed(Contact.self, described, context))
    default: nil
    }
  }

  private func feed<Record: RESTRecord>(
    _: Record.Type, _ resource: RESTResource, _ context: ProviderContext
  ) -> RESTFeed<Record> {
    RESTFeed(
      Record.self, provider: name, resource: resource, baseURL: context.baseURL,
      headers: description.headers, tenantID: description.namesTenant ? context.tenantID : nil,
      organisation: description.organisation)
  }
}
