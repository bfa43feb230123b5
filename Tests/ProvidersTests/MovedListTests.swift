import Foundation
import Models
import Providers
import Storage
import Sync
import Testing

/// Described lists whose address changes, which may then be another organisation's.
@Suite(.timeLimit(.minutes(10))) struct MovedListTests {
  /// A server of one company's rows, of which a list with a modification time can be asked for.
  private func scene(rows: Int = 5) async throws -> (RESTServer, SignInFixture) {
    let server = RESTServer(rows: rows)
    let fixture = try await SignInFixture(server)
    fixture.credentials.signIn("A")
    return (server, fixture)
  }

  private var watermark: RESTChanges {
    var watermark = RESTWatermark(parameter: "since")
    watermark.order = ["sort": "updated"]
    watermark.overlap = .zero
    return .watermark(watermark)
  }

  /// Replaces the rows by those of another company.
  private func replaceRows(of server: RESTServer) {
    for row in server.rows { server.remove(row.id) }
    for number in 0..<3 { server.insert("b\(number)") }
  }

  @Test(
    "a list at another address is read after the user's confirmation, from its start",
    arguments: ListMove.allCases, [false, true])
  func question(move: ListMove, isWatermark: Bool) async throws {
    let (server, fixture) = try await scene()
    var (before, after) = (MovedDescription(), move.description)
    if isWatermark { (before.changes, after.changes) = (watermark, watermark) }
    #expect(try await fixture.run(before.feed()).counts.inserted == 5)
    replaceRows(of: server)
    let asked = server.requests.count
    for kind in 0..<5 {
      await #expect {
        _ = try await fixture.run(after.feed()) {
          $0.isFull = kind == 1
          $0.isDryRun = kind == 2
          $0.verifies = kind == 3
          $0.since = kind == 4 ? Timestamp(microsecondsSinceEpoch: 0) : nil
        }
      } throws: { error in
        guard case SyncError.organisationUnproven("shop", "5 invoices") = error else {
          return false
        }
        return true
      }
    }
    #expect(server.requests.count == asked)
    #expect(try await fixture.stored().values.allSatisfy(\.self))
    // The former address needs no answer.
    #expect(try await fixture.run(before.feed()) { $0.isDryRun = true }.result == .dryRun)

    let answered = try await fixture.run(after.feed()) {
      $0.isSameOrganisation = true
      $0.maximumDeletedPercent = 100
    }
    #expect(answered.counts.inserted == 3 && answered.counts.deleted == 5)
    // The question is not asked again, and the next run continues from there.
    server.insert("b3")
    #expect(try await fixture.run(after.feed()).counts.inserted == 1)
    #expect(server.requests.last?.contains("since=2023") == isWatermark)
    try await fixture.stop()
  }

  @Test("a confirmation by a run since an instant leaves the whole list to the next run")
  func since() async throws {
    let (server, fixture) = try await scene()
    var (before, after) = (MovedDescription(), ListMove.base.description)
    (before.changes, after.changes) = (watermark, watermark)
    _ = try await fixture.run(before.feed())
    replaceRows(of: server)
    _ = try await fixture.run(after.feed()) {
      $0.isSameOrganisation = true
      $0.since = Timestamp("2023-11-14T22:00:00Z")
    }
    let report = try await fixture.run(after.feed()) { $0.maximumDeletedPercent = 100 }
    #expect(report.counts.deleted == 5)
    try await fixture.stop()
  }

  @Test("an interrupted list that moves does not resume at its former address")
  func interrupted() async throws {
    let (server, fixture) = try await scene(rows: 25)
    var (before, after) = (MovedDescription(), ListMove.base.description)
    (before.paging, after.paging) = (try RESTFixture.paging(.next), try RESTFixture.paging(.next))
    #expect(try await fixture.run(before.feed()) { $0.limit = 10 }.result == .partial)
    let asked = server.requests.count
    let report = try await fixture.run(after.feed()) { $0.isSameOrganisation = true }
    #expect(report.result == .complete && report.counts.inserted == 15)
    #expect(server.requests.dropFirst(asked).allSatisfy { $0.hasPrefix("/companies/2/invoices") })
    try await fixture.stop()
  }

  @Test("a server that names the organisation is asked again, and overrules the user")
  func identity() async throws {
    let (server, fixture) = try await scene()
    var description = MovedDescription()
    description.base = "/v1"
    description.organisation = .asked(
      RESTIdentity(path: "/me", field: try RESTFixture.path("organisation.id")))
    _ = try await fixture.run(description.feed())
    description.path = "/others"
    for isSame in [false, true] {
      server.answerNext(200, #"{"organisation":{"id":"B"}}"#)
      await #expect(throws: StorageError.self) {
        try await fixture.run(description.feed()) { $0.isSameOrganisation = isSame }
      }
    }
    let asked = server.requests.count
    #expect(try await fixture.run(description.feed()).counts.unchanged == 5)
    #expect(try await fixture.run(description.feed()).result == .complete)
    #expect(
      server.requests.dropFirst(asked).map { $0.prefix(while: { $0 != "?" }) }
        == ["/v1/me", "/v1/others", "/v1/others"])
    try await fixture.stop()
  }

  @Test("a moved list whose requests name the organisation is read whole without a question")
  func tenant() async throws {
    let (server, fixture) = try await scene()
    var description = MovedDescription()
    (description.tenantID, description.organisation) = ("t", .named)
    (description.path, description.changes) = ("/{tenantID}/invoices", watermark)
    _ = try await fixture.run(description.feed())
    description.base = "/v2"
    #expect(try await fixture.run(description.feed()).counts.unchanged == 5)
    #expect(server.requests.last?.contains("since=") == false)
    try await fixture.stop()
  }

  // Edge case 62
  @Test("the same number at another server is another organisation, until the user confirms it")
  func otherServer() async throws {
    let (server, fixture) = try await scene()
    var description = MovedDescription()
    (description.tenantID, description.organisation) = ("42", .named)
    description.path = "/{tenantID}/invoices"
    _ = try await fixture.run(description.feed())
    #expect(try await fixture.sync(description.feed()).organisationQuestion() == nil)
    description.host = "api.other.example"
    replaceRows(of: server)
    let after = try description.feed()
    let asked = server.requests.count
    await #expect {
      _ = try await fixture.run(after)
    } throws: { error in
      if case SyncError.organisationUnproven("shop", "5 invoices") = error { true } else { false }
    }
    #expect(server.requests.count == asked)
    #expect(try await fixture.stored().values.allSatisfy(\.self))
    let question = try #require(try await fixture.sync(after).organisationQuestion())
    #expect(question.holding == "5 invoices")
    let answered = try await fixture.run(after) {
      $0.isSameOrganisation = true
      $0.maximumDeletedPercent = 100
    }
    #expect(answered.counts.inserted == 3 && answered.counts.deleted == 5)
    #expect(try await fixture.sync(after).organisationQuestion() == nil)
    // A new sign-in at the confirmed server is proved by the number again.
    fixture.credentials.signIn("B")
    #expect(try await fixture.run(after).counts.unchanged == 3)
    try await fixture.stop()
  }

  @Test("a confirmation at the sign-in covers the address")
  func atSignIn() async throws {
    let (server, fixture) = try await scene()
    _ = try await fixture.run(MovedDescription().feed())
    let after = try ListMove.base.description.feed()
    replaceRows(of: server)
    let question = try #require(try await fixture.sync(after).organisationQuestion())
    #expect(question.holding == "5 invoices")
    try await fixture.database.noteSignIn(
      fixture.credentials.login, addresses: after.traits.addresses, account: "shop")
    #expect(try await fixture.sync(after).organisationQuestion() == nil)
    let report = try await fixture.run(after) { $0.maximumDeletedPercent = 100 }
    #expect(report.counts.inserted == 3 && report.counts.deleted == 5)
    try await fixture.stop()
  }

  @Test("a list that is described later, or moves alone, does not affect the others")
  func otherLists() async throws {
    let (_, fixture) = try await scene()
    var description = MovedDescription()
    _ = try await fixture.run(description.feed())
    for path in ["/contacts", "/people"] {
      description.others = [
        try RESTFixture.resource(RESTPaging(.none), kind: .contacts, path: path)
      ]
      #expect(try await fixture.run(description.feed()).result == .complete)
    }
    let owner = try #require(try await fixture.database.owner(account: "shop"))
    let addresses = try description.feed().traits.addresses
    #expect(owner.isMoved(.contacts, in: addresses) && !owner.isMoved(.invoices, in: addresses))
    try await fixture.stop()
  }

  @Test("an address is short, does not depend on its split, and shows no field or query item")
  func address() throws {
    var description = MovedDescription()
    (description.query, description.company) = ([:], "secret")
    let address = try #require(try description.feed().traits.addresses[.invoices])
    #expect(address.hasPrefix("https://api.acme.example/companies/1/invoices "))
    #expect(!address.contains("secret") && address.count < 60)
    (description.base, description.path) = ("/companies/", "/1/invoices")
    #expect(try description.feed().traits.addresses[.invoices] == address)
    description.query = ["key": ["secret"]]
    let other = try #require(try description.feed().traits.addresses[.invoices])
    #expect(other != address && !other.contains("secret"))
  }
}
