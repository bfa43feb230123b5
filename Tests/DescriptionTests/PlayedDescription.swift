import Foundation
import Models
import Networking
import ProviderConformance
import Providers
import Sandbox
import Sync
import Synchronization

/// A sandbox that plays a description backwards.
final class PlayedDescription: ProviderServer {
  let organisations: [String]
  let authorizer: (any RequestAuthorizer)?
  let signIns: [OrganisationSignIn]
  let url: URL
  private let description: RESTDescription
  private let server: SandboxServer
  private let edits = Mutex<UInt64>(0)

  init(_ description: RESTDescription) async throws {
    self.description = description
    var configuration = SandboxConfiguration()
    configuration.description = description
    configuration.source = .generated(invoices: 40, seed: 7)
    configuration.pageSize = 6
    configuration.tenants = 2
    server = try await SandboxServer.start(configuration)
    url = server.url.appending(path: description.baseURL.path(percentEncoded: true))
    let origins = Set([Origin(server.url)].compactMap(\.self))
    authorizer = try BearerAuthorizer(token: "sk_live_1", origins: origins)
    organisations = description.namesTenant ? Array(server.tenantIDs.prefix(1)) : []
    // Where requests name the organisation, no sign-in chooses another one.
    signIns =
      description.identity == nil || description.namesTenant
      ? []
      : try [1, 2].map { number in
        OrganisationSignIn(
          authorizer: try BearerAuthorizer(token: "sk_live_\(number)", origins: origins))
      }
  }

  private var main: RESTResource? { description.resources.first }

  var totalPath: [String]? {
    guard let main, main.detail == nil, main.elements == nil, main.kind.kind == .invoices else {
      return nil
    }
    return main.fields.fields["total"]?.path?.keys
  }

  var requestsWhenUnchanged: Int? {
    // A list without a filter is read as a whole.
    description.resources.allSatisfy { $0.changes.watermark != nil } ? 4 : nil
  }

  var reportsDeletions: Bool {
    // The sandbox marks only invoices as deleted.
    description.resources.allSatisfy { list in
      list.changes == .sweep
        || list.kind.kind == .invoices
          && (list.deleted != nil || list.changes.watermark?.deletions != nil)
    }
  }

  func invoices() -> [Invoice] { main.map(invoices) ?? [] }

  func invoices(of resource: Resource) -> [Invoice] {
    description.resources.first { $0.kind == resource }.map(invoices) ?? []
  }

  private func invoices(of list: RESTResource) -> [Invoice] {
    server.invoices().filter { $0.status != .deleted }.compactMap(DescribedList(list).shown)
      .map(comparable)
  }

  func contacts() -> [Contact] { contacts(of: .contacts) }

  func contacts(of resource: Resource) -> [Contact] {
    description.resources.filter { $0.kind == resource }.flatMap(server.contacts).map(comparable)
  }

  func payments(of resource: Resource) -> [Payment] {
    description.resources.filter { $0.kind == resource }.flatMap(server.payments).map(comparable)
  }

  /// The fields that every description reads, and one that an edit changes; the other fields are
  /// held against written examples.
  func comparable(_ stored: Invoice) -> Invoice {
    var invoice = Invoice(
      id: stored.id, type: stored.type, status: stored.status, rawStatus: "",
      currency: stored.currency, total: stored.total)
    switch edited {
    case "dueDate": invoice.dueDate = stored.dueDate
    case "reference": invoice.reference = stored.reference
    case "updatedAt": invoice.updatedAt = stored.updatedAt?.truncatedToSecond
    default: break
    }
    return invoice
  }

  /// A field that an edit changes and that every list of invoices describes.
  private var edited: String? {
    ["dueDate", "reference", "updatedAt"].first { name in
      description.resources.filter { $0.kind.kind == .invoices }.allSatisfy {
        $0.fields.fields[name]?.path != nil
      }
    }
  }

  func comparable(_ stored: Payment) -> Payment {
    Payment(
      id: stored.id, type: stored.type, status: stored.status, rawStatus: "",
      currency: stored.currency, amount: stored.amount)
  }

  func comparable(_ stored: Contact) -> Contact {
    var contact = Contact(id: stored.id, status: .active, rawStatus: "")
    contact.name = stored.name
    return contact
  }

  func change(_ change: BookChange, count: Int) {
    switch change {
    case .add: server.addInvoices(count: count)
    case .edit:
      // What an edit chooses need not be in the list, or may have changed in the same second.
      let before = Set(invoices())
      for _ in 0..<20 where Set(invoices()) == before {
        let seed = edits.withLock { edits in
          edits += 1
          return edits
        }
        server.changeInvoices(count: count, seed: seed)
      }
    case .void: server.voidInvoices(count: count)
    case .delete: server.deleteInvoices(count: count)
    }
  }

  func restore(count: Int) { server.restoreInvoices(count: count) }

  func stop() async { await server.stop() }
}
