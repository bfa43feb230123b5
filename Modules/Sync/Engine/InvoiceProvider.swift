package import Models
package import Networking

/// What an invoice API looks like: how to ask for a page and how to read it.
///
/// The engine owns the order of things: fetching ahead, committing, counting, stopping. A provider
/// only translates, and keeps no state of its own; all of it is in the cursor.
package protocol InvoiceProvider: Sendable {
  /// A place in the list of changes.
  associatedtype Cursor: Codable & Sendable

  /// The provider's name in the configuration, such as `xero`.
  var name: String { get }

  /// Finds the place to begin at: where an earlier run got to, or, with `nil`, at the very start.
  ///
  /// It may ask the server for what every later request needs, such as the organisation.
  func begin(at earlier: Cursor?, over session: Session) async throws -> Cursor

  /// The same organisation's list from its start, whatever was read before.
  func restart(_ cursor: Cursor) -> Cursor

  /// Whose invoices these are, as text that stays the same for ever, such as `xero:<tenant>`.
  func source(of cursor: Cursor) -> String

  /// The request for the page at a place.
  func request(at cursor: Cursor) throws -> Request

  /// Reads the page that was asked for at a place.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the page as a whole cannot be read.
  func page(_ body: [UInt8], at cursor: Cursor) throws -> InvoicePage<Cursor>
}

/// One page of invoices, and where to go on.
package struct InvoicePage<Cursor: Sendable>: Sendable {
  /// The rows that could be read.
  package var invoices: [Invoice]
  /// The rows that could not.
  package var failures: [RowFailure]
  /// Where the next page is; `nil` at the end of the list.
  package var next: Cursor?
  /// Where a later run begins when everything up to this page is stored.
  package var resume: Cursor

  package init(
    invoices: [Invoice], failures: [RowFailure], next: Cursor?, resume: Cursor
  ) {
    self.invoices = invoices
    self.failures = failures
    self.next = next
    self.resume = resume
  }
}

/// One invoice that could not be read; the others of its page are not affected.
public struct RowFailure: Sendable, Equatable {
  /// The invoice's identifier, where at least that could be read.
  public let id: String?
  /// Where in the invoice, such as `LineItems[2].Quantity`.
  public let path: String
  /// What is wrong there.
  public let reason: String

  package init(id: String?, path: String, reason: String) {
    self.id = id
    self.path = path
    self.reason = reason
  }
}
