import Foundation
import Models
import Networking
import ProviderConformance
import Providers
import Sync
import Synchronization
import TestSupport

/// A described list in memory, with one of the ways to page it and to report changes.
final class PlayedREST: ProviderServer {
  let url: URL
  let shape: RESTShape
  /// The rows of the list itself.
  var totalPath: [String]? { shape.hasDetail ? nil : ["total"] }
  private let server = RESTServer(rows: 25)
  private let added = Counter()
  private let removed = Mutex<[String]>([])

  init(url: URL, shape: RESTShape) {
    self.url = url
    self.shape = shape
  }

  var link: (any Middleware)? { server }

  /// The token names the organisation.
  var signIns: [OrganisationSignIn] {
    ["one", "two"].compactMap { token in
      Origin(url).flatMap { try? BearerAuthorizer(token: token, origins: [$0]) }
        .map { OrganisationSignIn(authorizer: $0) }
    }
  }
  var reportsDeletions: Bool {
    [.sweep, .versions, .deletions, .detailedSweep].contains(shape.changes)
  }
  var requestsWhenUnchanged: Int? {
    switch shape.changes {
    case .sweep: nil
    // All pages of the list, and none of its records.
    case .detailedSweep: 3
    default: 2
    }
  }

  func invoices() throws -> [Invoice] {
    guard let currency = Currency(code: "EUR") else { throw CocoaError(.formatting) }
    return server.rows.map { row in
      Invoice(
        id: row.id, type: .invoice, status: .open, rawStatus: "open", currency: currency,
        updatedAt: Timestamp(microsecondsSinceEpoch: Int64(row.updated) * 1_000_000),
        total: ExactDecimal(row.total))
    }
  }

  /// The list of contacts has the same rows, each with its total for a name.
  func contacts() -> [Contact] {
    server.rows.map { row in
      var contact = Contact(id: row.id, status: .active, rawStatus: "active")
      contact.name = "\(row.total).00"
      contact.updatedAt = Timestamp(microsecondsSinceEpoch: Int64(row.updated) * 1_000_000)
      return contact
    }
  }

  func comparable(_ stored: Invoice) -> Invoice {
    var invoice = stored
    invoice.version = nil
    return invoice
  }

  func change(_ change: BookChange, count: Int) {
    let ids = server.rows.map(\.id).sorted()
    switch change {
    case .add:
      for _ in 0..<count {
        added.increment()
        server.insert("new\(added.value)")
      }
    // Not always the same ones.
    case .edit: for id in ids.shifted(by: server.requests.count).prefix(count) { server.edit(id) }
    case .void: break
    case .delete:
      for id in ids.suffix(count) {
        server.remove(id)
        removed.withLock { $0.append(id) }
      }
    }
  }

  func restore(count: Int) {
    for _ in 0..<count { removed.withLock { $0.popLast() }.map(server.insert) }
  }

  /// The provider that reads it.
  static func provider(_ shape: RESTShape, at url: URL) throws -> RESTProvider {
    RESTProvider(
      name: "acme",
      description: try RESTDescription(
        baseURL: url,
        identity: RESTIdentity(path: "/me", field: try RESTFixture.path("organisation.id")),
        resources: [try shape.invoices(), try shape.contacts()]))
  }
}

extension [String] {
  /// The same in a cycle, from another one on.
  fileprivate func shifted(by count: Int) -> [String] {
    guard !isEmpty else { return [] }
    return Array(self[(count % self.count)...] + self[..<(count % self.count)])
  }
}
