package import Documents
import Foundation
package import HTTPTypes
import Models
import Networking
import Sync

/// A provider that the user has described.
package struct RESTProvider: Provider {
  package let name: String
  /// The user's description of the provider, or one that ships.
  package let description: RESTDescription
  /// The words of the description for people.
  package let vendor: RESTVendor
  /// True if the description is part of appcore.
  package var isShipped = false

  package init(name: String, description: RESTDescription, vendor: RESTVendor = RESTVendor()) {
    self.name = name
    self.description = description
    self.vendor = vendor
  }

  package var profile: ProviderProfile {
    let authorization = description.authorization
    let title = vendor.title ?? name
    let baseURL = description.baseURL.absoluteString
    // A kind may have several lists.
    let kinds = Resource.Kind.allCases.filter { kind in
      description.resources.contains { $0.kind.kind == kind }
    }
    let records = kinds.map { Resource($0).words }.joined(separator: ", ")
    let isIncremental = description.resources.first?.isIncremental == true
    let reads = isIncremental ? "what changed" : "everything"
    // The issuer's metadata supplies the endpoints that are empty.
    var profile =
      authorization.isTokenOnly
      ? ProviderProfile(
        title: title, records: records, reads: reads, baseURL: baseURL,
        tokenName: vendor.tokenName ?? "access token")
      : ProviderProfile(
        title: title, records: records, reads: reads, baseURL: baseURL,
        authorizationURL: authorization.authorizationURL ?? "",
        tokenURL: authorization.tokenURL ?? "")
    if authorization.deviceAuthorizationURL != nil { profile.signIn += ", or device" }
    profile.registrationURL = vendor.website
    profile.steps = vendor.signInHelp
    profile.site = vendor.site
    profile.needsAddress = vendor.site != nil && baseURL.contains(RESTVendor.exampleSite)
    profile.isFromDocumentation = isShipped
    profile.needsOrganisation =
      description.namesTenant && authorization.redirectTenantParameter == nil
    profile.issuer = authorization.issuer
    profile.revocationURL = authorization.revocationURL
    profile.deviceAuthorizationURL = authorization.deviceAuthorizationURL
    profile.tokenScheme = authorization.tokenScheme
    profile.secretHeader = authorization.secretHeader
    if authorization.secretHeader != nil { profile.hasClientSecret = true }
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

  package func documents(in context: ProviderContext) -> (any DocumentSource)? {
    RESTDocuments(description, in: context)
  }

  private func feed<Record: RESTRecord>(
    of described: RESTResource, in context: ProviderContext
  ) -> RESTFeed<Record> {
    RESTFeed(
      Record.self, provider: name, resource: described, baseURL: context.baseURL,
      headers: description.headers, tenantID: description.namesTenant ? context.tenantID : nil,
      organisation: description.organisation, others: description.resources,
      timeZone: context.timeZone,
      addressKey: isShipped || context.baseURL != description.baseURL
        ? "accounts.\(context.account).baseURL" : nil,
      isShipped: isShipped)
  }
}

/// The words of a description for people, about the vendor.
package struct RESTVendor: Sendable, Equatable {
  /// The vendor's own spelling of the name.
  package var title: String?
  /// The page on which a user registers an app, or gets a key.
  package var website: String?
  /// The place of what a sign-in needs in the vendor's product.
  package var signInHelp: String?
  /// The address to set, if each customer has another one.
  package var site: String?
  /// The part of an address that stands for a customer's own.
  package static let exampleSite = "your-"

  /// The vendor's word for what a user passes instead of a sign-in.
  package var tokenName: String?

  package init() {}
}
