public import Foundation
public import Models
public import Sync

/// A service that holds a user's invoices: its address, its sign-in and its lists.
///
/// A front end can define a provider of its own; see <doc:WritingAProvider>.
public protocol Provider: Sendable {
  /// The name in the configuration, such as `xero`: 1 to 64 letters, digits, `.`, `_` or `-`.
  var name: String { get }

  /// The facts about the provider that are known without a request to it.
  var profile: ProviderProfile { get }

  /// Returns the list of invoices; `nil` if the provider has none, whatever the context.
  func invoices(in context: ProviderContext) -> (any ResourceFeed<Invoice>)?

  /// Returns the list of contacts; `nil` if the provider has none, whatever the context.
  func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)?

  /// Returns the organisations that the login reaches; `nil` if the provider does not list them.
  ///
  /// A provider that lists them sets ``ProviderProfile/listsOrganisations``.
  func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]?
}

extension Provider {
  /// Returns `nil`: appcore does not list the contacts of most providers.
  public func contacts(in context: ProviderContext) -> (any ResourceFeed<Contact>)? { nil }

  /// Returns `nil`: most logins reach one organisation, which the provider does not name.
  public func organisations(
    in context: ProviderContext, ask: @escaping Ask
  ) async throws -> [Organisation]? { nil }

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

/// The account for which a feed is made.
public struct ProviderContext: Sendable {
  /// The account's name in the configuration.
  public let account: String
  /// The address of the provider's API, from the configuration or else from the provider's profile.
  public let baseURL: URL
  /// The organisation, for a login that reaches several.
  ///
  /// It comes from the configuration or else from the sign-in's redirect; `nil` if neither names
  /// it.
  public let tenantID: String?
  /// The time zone in which the account's instants become days, an IANA name; `nil` takes the one
  /// that the provider states.
  public let timeZone: String?

  package init(account: String, baseURL: URL, tenantID: String?, timeZone: String? = nil) {
    self.account = account
    self.baseURL = baseURL
    self.tenantID = tenantID
    self.timeZone = timeZone
  }
}
