import Foundation
import Models
import Sandbox
import Storage
import TestSupport
import Testing

/// An accountant's login that reaches many organisations, with the real program and a keyring.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct ManyOrganisationsTests {
  private static let books = 40

  /// Signs in once, and adds every organisation that the login reaches.
  private func fixture(lifetime: Duration = .seconds(1_800)) async throws -> ProgramFixture {
    let fixture = try await ProgramFixture(
      configuration: "defaultAccount: default"
    ) {
      $0.source = .generated(invoices: 40, seed: 3)
      $0.tenants = Self.books
      $0.limits = SandboxLimits()
      $0.tokenLifetime = lifetime
    }
    if lifetime < .seconds(60) {
      try await fixture.signInAndExpire()
    } else {
      #expect(try await fixture.run("login").status == 0)
    }
    let added = try await fixture.run("organisations", "add", "--all")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output.split(separator: "\n").count == Self.books)
    return fixture
  }

  private func stored(_ fixture: ProgramFixture) async throws -> [String: [String]] {
    let database = try await LocalDatabase.open(at: fixture.databasePath)
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    // The credit notes are of another list.
    query.types = [.invoice, .bill]
    let found = try await database.invoices(matching: query)
    try await database.close()
    return Dictionary(grouping: found, by: \.account).mapValues { $0.map(\.invoice.id).sorted() }
  }

  private func accounts(_ fixture: ProgramFixture) async throws -> [String: String] {
    struct Document: Decodable {
      struct Entry: Decodable {
        let id: String
        let account: String?
      }
      let organisations: [Entry]
    }
    let output = try await fixture.run("organisations", "--json").output
    let document = try JSONDecoder().decode(Document.self, from: Data(output.utf8))
    return Dictionary(
      uniqueKeysWithValues: document.organisations.compactMap { entry in
        entry.account.map { ($0, entry.id) }
      })
  }

  private func requireWithinLimits(_ fixture: ProgramFixture) async {
    let statistics = await fixture.server.statistics()
    let limits = SandboxLimits()
    for (id, counts) in statistics.organisations {
      #expect(counts.refused == 0, "\(id)")
      #expect(counts.mostConcurrent <= limits.concurrent)
      #expect(counts.mostPerMinute <= limits.perMinute)
    }
    #expect(statistics.mostPerMinute <= limits.perMinuteOfAll)
    #expect(statistics.refreshReuseDetected == 0)
  }

  @Test("40 books of one login take one sign-in and one renewal, and each gets its own rows")
  func books() async throws {
    let fixture = try await fixture(lifetime: .seconds(2))
    let names = try await accounts(fixture)
    #expect(names.count == Self.books)
    // The listing may have needed a token; the sync starts with one that has ended.
    fixture.server.expireAccessTokens()
    let before = await fixture.server.statistics().tokenRequests
    let sync = try await fixture.run("sync", "all", "--all-accounts", "--json")
    #expect(sync.status == 0, "\(sync.errors)")
    let tokens = await fixture.server.statistics().tokenRequests
    #expect(tokens["authorization_code"] == 1)
    #expect((tokens["refresh_token"] ?? 0) - (before["refresh_token"] ?? 0) == 1)
    let stored = try await stored(fixture)
    #expect(stored.count == Self.books)
    for (name, id) in names {
      #expect(stored[name] == fixture.server.invoices(of: id).map(\.id).sorted(), "\(name)")
    }
    await requireWithinLimits(fixture)
    // One entry of the keyring, whatever the number of accounts.
    #expect(try await fixture.tokens().count == 2)
  }

  @Test("one forbidden book leaves 39 complete, and the exit code says so")
  func forbidden() async throws {
    let fixture = try await fixture()
    let names = try await accounts(fixture)
    let (refused, id) = try #require(names.min { $0.key < $1.key })
    fixture.server.armFault(
      Fault(path: "/api.xro*", kind: .status, organisation: id, times: 1_000, status: 403))
    let sync = try await fixture.run("sync", "all", "--all-accounts")
    #expect(sync.status == 77, "\(sync.errors)")
    #expect(
      sync.errors.contains(
        "appcore: \(refused): invoices and credit-notes: the provider denied access"))
    let lines = sync.output.split(separator: "\n")
    #expect(lines.count == Self.books + 1)
    #expect(lines.last?.hasPrefix("Synced 39 of 40 accounts: ") == true, "\(sync.output)")
    #expect(
      lines.filter { $0.contains("failed: ") }.map { $0.prefix(refused.count) } == [refused[...]])
    let stored = try await stored(fixture)
    #expect(stored.count == Self.books - 1 && stored[refused] == nil)
    for (name, id) in names where name != refused {
      #expect(stored[name] == fixture.server.invoices(of: id).map(\.id).sorted(), "\(name)")
    }
    await requireWithinLimits(fixture)
  }

  @Test("Ctrl-C stops all books, and the next sync completes them")
  func interrupted() async throws {
    let fixture = try await fixture()
    let names = try await accounts(fixture)
    // Ten pages are answered, and no more before the signal.
    fixture.server.armFault(
      Fault(
        path: "/api.xro*", kind: .delay, skip: 10, times: 1_000, delayMilliseconds: 3_600_000))
    let program = try fixture.start(["sync", "all", "--all-accounts"])
    try await eventually("the sync is under way") {
      await fixture.server.statistics().faultsApplied > 0
    }
    program.send(2)
    let ending = await program.ending()
    #expect(ending.status == 130, "\(ending.errors)")
    #expect(ending.errors.contains("of 40 accounts"), "\(ending.errors)")
    #expect(!ending.output.contains("failed"))
    fixture.server.clearFaults()
    #expect(try await fixture.run("sync", "all", "--all-accounts", "--quiet").status == 0)
    let stored = try await stored(fixture)
    for (name, id) in names {
      #expect(stored[name] == fixture.server.invoices(of: id).map(\.id).sorted(), "\(name)")
    }
  }
}
