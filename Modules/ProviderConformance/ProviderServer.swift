public import Foundation
public import Models
public import Networking

/// A server that simulates a provider's API, with books that a test can change.
///
/// It only has to answer correctly: the suite itself injects the faults between it and the
/// provider. A server in memory provides a ``link``; the package's sandbox listens on loopback.
public protocol ProviderServer: Sendable {
  /// The address of its API.
  var url: URL { get }

  /// The middleware that answers requests in place of a network; `nil` for a server that listens.
  var link: (any Middleware)? { get }

  /// The authorizer that adds the server's credentials to requests; `nil` if it requires none.
  var authorizer: (any RequestAuthorizer)? { get }

  /// The organisations that its login can access, as `tenantID` names them; empty if none has to be
  /// named.
  ///
  /// The suite syncs the first one. With two, it checks that their records are kept apart.
  var organisations: [String] { get }

  /// Two sign-ins, each for a different organisation; if empty, the suite skips the check that
  /// needs them.
  var signIns: [OrganisationSignIn] { get }

  /// The keys that lead from a row of its list to the row's total, such as `["amounts", "total"]`.
  ///
  /// `nil` if the responses are not JSON; the suite then skips the checks with altered rows.
  var totalPath: [String]? { get }

  /// The largest number of requests that a run needs if nothing has changed; `nil` if it reads the
  /// whole list.
  var requestsWhenUnchanged: Int? { get }

  /// True if the server reports deletions or lists everything every time; otherwise only a full run
  /// finds them.
  var reportsDeletions: Bool { get }

  /// Returns the invoices that a complete sync stores now, without deleted ones; at least three
  /// pages.
  func invoices() async throws -> [Invoice]

  /// Returns the invoices of another list than the first that a complete sync of it stores now,
  /// without deleted ones, such as credit notes; empty if the server has no such list.
  func invoices(of resource: Resource) async throws -> [Invoice]

  /// Returns the payments that a complete sync of a list stores now, without deleted ones; empty if
  /// the server has no such list.
  func payments(of resource: Resource) async throws -> [Payment]

  /// Returns the contacts that a complete sync stores now; empty if the server lists none.
  func contacts() async throws -> [Contact]

  /// Returns the contacts that a complete sync of a list stores now, for a provider with several
  /// lists of them.
  func contacts(of resource: Resource) async throws -> [Contact]

  /// Changes records of its books, or does nothing if the provider does not support the change.
  func change(_ change: BookChange, count: Int) async throws

  /// Restores deleted invoices, or does nothing if the provider's deletions are final.
  func restore(count: Int) async throws

  /// Returns the part of a stored invoice that can be compared with ``invoices()``, which may lack
  /// some values.
  func comparable(_ stored: Invoice) -> Invoice

  /// Returns the part of a stored payment that can be compared with ``payments(of:)``.
  func comparable(_ stored: Payment) -> Payment

  /// Returns the part of a stored contact that can be compared with ``contacts()``.
  func comparable(_ stored: Contact) -> Contact

  /// Stops the server.
  func stop() async
}

/// A sign-in for a single organisation.
public struct OrganisationSignIn: Sendable {
  /// The authorizer that adds the sign-in's credentials to requests.
  public let authorizer: any RequestAuthorizer
  /// The organisation, if the sign-in's redirect names it; `nil` if a request has to ask the
  /// server.
  public let tenantID: String?

  /// Creates a sign-in.
  public init(authorizer: any RequestAuthorizer, tenantID: String? = nil) {
    self.authorizer = authorizer
    self.tenantID = tenantID
  }
}

/// A change that other people make to a provider's books.
public enum BookChange: Sendable, CaseIterable {
  /// Invoices are added.
  case add
  /// Invoices are edited.
  case edit
  /// Invoices are voided.
  case void
  /// Invoices are deleted.
  case delete
}

extension ProviderServer {
  /// None: the server listens.
  public var link: (any Middleware)? { nil }
  /// None: the server requires no credentials.
  public var authorizer: (any RequestAuthorizer)? { nil }
  /// Empty: no organisation has to be named.
  public var organisations: [String] { [] }
  /// Empty: the suite skips the check that needs them.
  public var signIns: [OrganisationSignIn] { [] }
  /// Four: the start of the list, the changes, the deletions, and one to spare.
  public var requestsWhenUnchanged: Int? { 4 }
  /// True: the server reports deletions.
  public var reportsDeletions: Bool { true }
  /// Returns the whole invoice.
  public func comparable(_ stored: Invoice) -> Invoice { stored }
  /// Returns no invoices.
  public func invoices(of resource: Resource) async throws -> [Invoice] { [] }
  /// Returns no payments.
  public func payments(of resource: Resource) async throws -> [Payment] { [] }
  /// Returns the whole payment.
  public func comparable(_ stored: Payment) -> Payment { stored }
  /// Returns the contacts of the only list.
  public func contacts(of resource: Resource) async throws -> [Contact] {
    resource == .contacts ? try await contacts() : []
  }
  /// Returns the whole contact.
  public func comparable(_ stored: Contact) -> Contact { stored }
  /// Returns no contacts.
  public func contacts() async throws -> [Contact] { [] }
  /// Does nothing: deletions are final.
  public func restore(count: Int) async throws {}
  /// Does nothing: there is nothing to stop.
  public func stop() async {}
}
