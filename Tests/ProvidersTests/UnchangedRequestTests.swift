import Foundation
import Models
import Networking
import ProviderConformance
import Providers
import Storage
import Sync
import TestSupport
import Testing

@testable import Sandbox

/// The requests of a sync of all lists in which nothing has changed.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct UnchangedRequestTests {
  /// The requests for each list, in the order of the lists.
  private static let requests: [SandboxProvider: [Int]] = [
    .xero: [1, 1, 1, 1, 1, 1],
    .quickbooks: [1, 1, 1],
    .stripe: [1, 1, 1],
    .square: [3, 3],
    .moneybird: [1, 1, 1, 1],
  ]

  @Test(
    "lists beside the invoices cost few requests if nothing has changed",
    arguments: SandboxShape.all)
  func unchanged(shape: SandboxShape) async throws {
    let server = try await PlayedSandbox(shape)
    CleanUp.atEnd { await server.stop() }
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(
      at: folder.file("test.sqlite"), lockTimeout: Patience.limit)
    let session = Session(
      name: "lists", configuration: SessionConfiguration(), authorizer: server.authorizer,
      logger: .silent)
    CleanUp.atEnd {
      await session.shutdown()
      try? await database.close()
    }
    let context = ProviderContext(
      account: "default", baseURL: server.url, tenantID: server.organisations.first)
    var requests: [Resource: Int] = [:]
    let lists = shape.provider.resources(in: context)
    // The second run may still look at what the first one has changed.
    for _ in 0..<3 {
      for list in lists {
        let sync = try #require(
          shape.provider.sync(
            list, in: context, over: session, into: database, signIn: SignInSource(),
            logger: .silent))
        let report = try await sync.run()
        #expect(report.result == .complete)
        requests[list] = report.requests
      }
    }
    #expect(lists.compactMap { requests[$0] } == Self.requests[shape.played])
  }
}
