public import Foundation
public import Models
public import Networking

/// A server that plays a provider's shape, with books that a test can change.
///
/// It only has to answer well: what goes wrong between it and the provider, the suite does by
/// itself. A server of one's own in memory is a ``link``; the package's sandbox is one on loopback.
public protocol ProviderServer: Sendable {
  /// Where its API is.
  var url: URL { get }

  /// What answers requests in place of a network; `nil` for a server that listens.
  var link: (any Middleware)? { get }

  /// What adds its credentials to requests; `nil` where it wants none.
  var authorizer: (any RequestAuthorizer)? { get }

  /// The organisations that its login reaches, as `tenantID` names them; empty where none has to be
  /// named.
  ///
  /// The first one is synced; with two, the suite sees to it that they are kept apart.
  var organisations: [String] { get }

  /// Two sign-ins that reach one organisation each, and not the same; empty leaves out what is
  /// tried with them.
  var signIns: [OrganisationSignIn] { get }

  /// The keys that lead from a row of its list to the row's total, such as `["amounts", "total"]`.
  ///
  /// `nil` leaves out what is tried with altered rows, as where the answers are no JSON.
  var totalPath: [String]? { get }

  /// The most requests that a run needs where nothing has changed; `nil` where the whole list is
  /// read.
  var requestsWhenUnchanged: Int? { get }

  /// Whether it tells what was deleted, or lists everything every time; else `--full` finds that
  /// out.
  var tellsDeletions: Bool { get }

  /// What a complete sync of its books has stored now, but for what is deleted; at least three
  /// pages.
  func invoices() async throws -> [Invoice]

  /// What a complete sync of its contacts has stored now; empty where it has none to list.
  func contacts() async throws -> [Contact]

  /// Changes some of its books, or does nothing where the provider has no such voiding or deletion.
  func change(_ change: BookChange, count: Int) async throws

  /// Brings deleted invoices back, or does nothing where those of the provider stay deleted.
  func restore(count: Int) async throws

  /// What of a stored invoice can be compared with ``invoices()``, where that does not hold
  /// everything.
  func comparable(_ stored: Invoice) -> Invoice

  /// Ends it.
  func stop() async
}

/// A sign-in that reaches one organisation alone.
public struct OrganisationSignIn: Sendable {
  /// What adds its credentials to requests.
  public let authorizer: any RequestAuthorizer
  /// The organisation, where the sign-in's redirect names it; `nil` where the server is asked.
  public let tenantID: String?

  /// Creates a sign-in.
  public init(authorizer: any RequestAuthorizer, tenantID: String? = nil) {
    self.authorizer = authorizer
    self.tenantID = tenantID
  }
}

/// What other people do to a provider's books.
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
  /// None: the server wants no credentials.
  public var authorizer: (any RequestAuthorizer)? { nil }
  /// None: none has to be named.
  public var organisations: [String] { [] }
  /// None: what is tried with them is left out.
  public var signIns: [OrganisationSignIn] { [] }
  /// Four: where the list begins, what has changed, what was deleted, and one to spare.
  public var requestsWhenUnchanged: Int? { 4 }
  /// It does.
  public var tellsDeletions: Bool { true }
  /// All of it.
  public func comparable(_ stored: Invoice) -> Invoice { stored }
  /// None.
  public func contacts() async throws -> [Contact] { [] }
  /// What is deleted stays so.
  public func restore(count: Int) async throws {}
  /// There is nothing to end.
  public func stop() async {}
}
