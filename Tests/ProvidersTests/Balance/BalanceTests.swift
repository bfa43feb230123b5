import Foundation
import GRDB
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

@testable import Sandbox

/// The parts of amounts due, held against a second reading of the same pages.
///
/// Each seed is a book of its own. A seed that fails is printed; `APPCORE_SEED` runs it alone,
/// `APPCORE_SEEDS` is how many there are for each provider.
@Suite(.timeLimit(DriftSeeds.timeLimit)) struct BalanceTests {
  // Edge case 67
  @Test(
    "every amount due is what the pages explain, to the cent", arguments: SandboxShape.all)
  func explained(shape: SandboxShape) async throws {
    let seeds = DriftSeeds.all
    var kinds: Set<InvoiceBalance.Entry.Kind> = []
    for first in stride(from: 0, to: seeds.count, by: BalanceScene.maximum) {
      let books = seeds[first..<min(first + BalanceScene.maximum, seeds.count)]
      let scene = try await BalanceScene(shape, seeds: books.startIndex..<books.endIndex, of: seeds)
      for seed in books {
        let problems = try await scene.problems(of: seed, &kinds)
        #expect(problems.isEmpty, "\(shape.played), seed \(seed): \(problems.prefix(5))")
      }
      try await scene.stop()
    }
    if seeds.count >= 10 { #expect(kinds.isSuperset(of: shape.settlements), "\(kinds)") }
  }

  @Test(
    "a part that is lost or altered after the sync is noticed",
    arguments: [
      "DELETE FROM payment_allocation WHERE payment = (\(payment))",
      "UPDATE payment_allocation SET amount = '0.01' WHERE payment = (\(payment))",
      "UPDATE payment_allocation SET date = '1999-01-01' WHERE payment = (\(payment))",
      "UPDATE payment SET reference = 'another' WHERE row = (\(payment))",
      "UPDATE payment SET status = 'void' WHERE row = (\(payment))",
      "DELETE FROM credit_allocation WHERE invoice = (\(note))",
      "UPDATE invoice SET amount_due = '0.01' WHERE row = (\(note))",
    ])
  func noticed(change: String) async throws {
    let scene = try await BalanceScene(SandboxShape.all[0], seeds: 0..<1, of: [1])
    var kinds: Set<InvoiceBalance.Entry.Kind> = []
    #expect(try await scene.problems(of: 1, &kinds) == [])
    try await scene.corrupt(change)
    #expect(try await scene.differences(of: 1, &kinds) != [])
    try await scene.stop()
  }

  private static let payment = "SELECT min(row) FROM payment WHERE status = 'completed'"
  private static let note = """
    SELECT min(row) FROM invoice
    WHERE status <> 'void' AND row IN (SELECT invoice FROM credit_allocation)
    """
}

/// A sandbox with a tenant for each seed, and a database with an account for each.
private final class BalanceScene {
  /// The most tenants of a sandbox: every sync reads the list of them.
  static let maximum = 50

  private let shape: SandboxShape
  private let first: UInt64
  private let server: SandboxServer
  private let folder: TemporaryDirectory
  private let database: LocalDatabase
  private let session: Session

  init(_ shape: SandboxShape, seeds: Range<Int>, of all: [UInt64]) async throws {
    self.shape = shape
    first = all[seeds.lowerBound]
    var configuration = SandboxConfiguration()
    configuration.provider = shape.played
    configuration.variesSettlements = true
    configuration.source = .generated(invoices: 12, seed: first)
    configuration.tenants = seeds.count
    server = try await SandboxServer.start(configuration)
    folder = try TemporaryDirectory(inMemory: true)
    database = try await LocalDatabase.open(at: folder.file("balance.sqlite"))
    session = Session(
      name: "invoices", configuration: SessionConfiguration(),
      authorizer: try await SyncFixture.authorizer(server), logger: .silent)
  }

  /// Syncs the book of a seed, half of the time before and after changes, and compares.
  func problems(
    of seed: UInt64, _ kinds: inout Set<InvoiceBalance.Entry.Kind>
  ) async throws -> [String] {
    let context = context(of: seed)
    try await sync(context)
    if !seed.isMultiple(of: 2) {
      let ledger = server.state.tenants[Int(seed - first)].ledger
      for change in LedgerChange.Kind.allCases { ledger.change(change, count: 1, seed: seed) }
      try await sync(context)
    }
    return try await differences(of: seed, &kinds)
  }

  private func context(of seed: UInt64) -> ProviderContext {
    ProviderContext(
      account: "seed\(seed)", baseURL: server.url,
      tenantID: shape.organisations(server)[Int(seed - first)])
  }

  /// Compares what each amount due is made of with the pages.
  func differences(
    of seed: UInt64, _ kinds: inout Set<InvoiceBalance.Entry.Kind>
  ) async throws -> [String] {
    let context = context(of: seed)
    let pages = PlainPages(
      session: session, url: server.url, organisation: context.tenantID ?? "")
    var problems: [String] = []
    for (id, document) in try await pages.documents(of: shape.played) {
      let found = try await database.invoices(named: id, account: context.account)
      guard let balance = found.first?.balance, found.count == 1 else {
        problems.append("\(id) is stored \(found.count) times")
        continue
      }
      kinds.formUnion(balance.entries.map(\.kind))
      problems += document.problems(with: balance).map { "\(id): \($0)" }
    }
    return problems
  }

  /// Changes the database behind everybody's back.
  func corrupt(_ statement: String) async throws {
    let queue = try DatabaseQueue(path: database.path)
    try await queue.write { try $0.execute(sql: statement) }
    try queue.close()
  }

  private func sync(_ context: ProviderContext) async throws {
    for resource in shape.provider.resources(in: context) where resource.kind != .contacts {
      let sync = try #require(
        shape.provider.sync(
          resource, in: context, over: session, into: database, logger: .silent))
      #expect(try await sync.run().result == .complete, "\(context.account), \(resource)")
    }
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}

extension SandboxShape {
  /// The kinds of settlements that occur at the provider.
  fileprivate var settlements: Set<InvoiceBalance.Entry.Kind> {
    switch played {
    case .xero: [.payment, .credit, .invoice, .waived]
    case .quickbooks: [.payment]
    case .stripe: [.payment, .credit, .invoice, .returned, .waived]
    case .square: [.payment, .refund, .waived]
    case .moneybird: [.payment, .refund, .credit, .waived]
    }
  }
}
