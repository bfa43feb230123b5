import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

@testable import Sandbox

/// The parts of amounts due, with everything that a provider lists.
@Suite(.timeLimit(.minutes(10))) struct BalanceTests {
  @Test(
    "every amount due is the total less what the provider lists, to the cent",
    arguments: SandboxShape.all, [1, 2] as [UInt64])
  func explained(shape: SandboxShape, seed: UInt64) async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = shape.played
    configuration.source = .generated(invoices: 150, seed: seed)
    let server = try await SandboxServer.start(configuration)
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let session = Session(
      name: "invoices", configuration: SessionConfiguration(),
      authorizer: try await SyncFixture.authorizer(server), logger: .silent)
    let context = ProviderContext(
      account: "default", baseURL: server.url, tenantID: shape.organisations(server).first)
    for resource in shape.provider.resources(in: context) {
      let sync = try #require(
        shape.provider.sync(
          resource, in: context, over: session, into: database, logger: .silent))
      #expect(try await sync.run().result == .complete, "\(resource)")
    }
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    var entries = 0
    for stored in try await database.invoices(matching: query) {
      let found = try await database.invoices(named: stored.invoice.id, account: "default")
      let balance = try #require(found.first?.balance)
      #expect(
        balance.unexplained.isZero,
        "\(stored.invoice.id), \(stored.invoice.rawStatus): \(balance)")
      entries += balance.entries.count
      // An independent sum of the same parts.
      var rest = DecimalSum([balance.total])
      for entry in balance.entries { rest.add(DecimalSum([entry.amount.negated])) }
      if let due = balance.due { #expect(rest.description.isSame(as: due), "\(rest) \(due)") }
    }
    #expect(entries > 50)
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}

extension String {
  fileprivate func isSame(as amount: ExactDecimal) -> Bool {
    ExactDecimal(self)?.subtracting(amount)?.isZero == true
  }
}
