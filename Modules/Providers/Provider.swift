public import Foundation
public import Models
public import Sync

/// A service that holds a user's invoices: where it is, how one signs in, and what it lists.
///
/// A front end can have one of its own; see <doc:WritingAProvider>.
public protocol Provider: Sendable {
  /// The name in the configuration, such as `xero`: 1 to 64 letters, digits, `.`, `_` or `-`.
  var name: String { get }

  /// The facts that are known of the provider without asking it.
  var traits: ProviderTraits { get }

  /// Returns the list of invoices; `nil` where the provider has none, whatever the context.
  func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)?

  /// Returns the list of contacts; `nil` where the provider has none, whatever the context.
  func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)?
}

extension Provider {
  /// Returns `nil`: most providers' contacts are not listed.
  public func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)? { nil }

  /// Returns the resources that the provider lists, invoices first.
  package func resources(in context: ProviderContext) -> [Resource] {
    Resource.allCases.filter { resource in
      switch resource {
      case .invoices: invoices(in: context) != nil
      case .contacts: contacts(in: context) != nil
      }
    }
  }
}

/// The account that a feed is made for.
public struct ProviderContext: Sendable {
  /// The account's name in the configuration.
  public let account: String
  /// The address of the provider's API: as configured, else as its traits say.
  public let baseURL: URL
  /// The organisation, for a login that reaches several: as configured, else as the sign-in's
  /// redirect named it; `nil` where neither did.
  public let tenantID: String?

  package init(account: String, baseURL: URL, tenantID: String?) {
    self.account = account
    self.baseURL = baseURL
    self.tenantID = tenantID
  }
}
