import Foundation
import Models
import Networking
import ProviderConformance
import Sandbox
import Synchronization

/// A sandbox in a provider's shape.
final class PlayedSandbox: ProviderServer {
  let organisations: [String]
  let authorizer: (any RequestAuthorizer)?

  private let shape: SandboxShape
  private let server: SandboxServer
  private let edits = Mutex<UInt64>(0)

  init(_ shape: SandboxShape) async throws {
    self.shape = shape
    var configuration = SandboxConfiguration()
    configuration.provider = shape.played
    configuration.source = .generated(invoices: shape.invoices, seed: 7)
    configuration.tenants = 2
    server = try await SandboxServer.start(configuration)
    authorizer = try await SyncFixture.authorizer(server)
    organisations = shape.organisations(server)
    let origins = Set([Origin(server.url)].compactMap(\.self))
    let named = shape.namesOrganisation ? organisations.map(String?.some) : [nil, nil]
    signIns = try named.enumerated().map { number, tenantID in
      OrganisationSignIn(
        authorizer: try BearerAuthorizer(token: "sk_live_\(number + 1)", origins: origins),
        tenantID: tenantID)
    }
  }

  var url: URL { server.url }
  let signIns: [OrganisationSignIn]
  var totalPath: [String]? { shape.totalPath }
  var requestsWhenUnchanged: Int? { shape.requestsWhenUnchanged }

  func invoices() -> [Invoice] { server.invoices().compactMap(shape.shown) }

  func invoices(of resource: Resource) -> [Invoice] {
    shape.shownOthers(server, resource)
  }

  func payments(of resource: Resource) -> [Payment] {
    shape.shownPayments(server, resource)
  }

  func contacts() throws -> [Contact] { try shape.shownContacts(server) }

  func comparable(_ stored: Invoice) -> Invoice { shape.comparable(stored) }

  /// The provider's own numbers are looked at elsewhere.
  func comparable(_ stored: Contact) -> Contact {
    var contact = stored
    contact.version = nil
    return contact
  }

  func change(_ change: BookChange, count: Int) {
    switch change {
    case .add: server.addInvoices(count: count)
    case .edit:
      let seed = edits.withLock { edits in
        edits += 1
        return edits
      }
      server.changeInvoices(count: count, seed: seed)
    case .void: server.voidInvoices(count: count)
    case .delete: server.deleteInvoices(count: count)
    }
  }

  func restore(count: Int) { server.restoreInvoices(count: count) }

  func stop() async { await server.stop() }
}
