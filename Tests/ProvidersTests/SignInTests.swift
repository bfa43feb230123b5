import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import Testing

/// The proof of the organisation whose records a sign-in reads, before anything is stored.
@Suite(.timeLimit(.minutes(10))) struct SignInTests {
  /// A described list of the organisation that the token names, and of no other.
  private func feed(
    _ organisation: RESTOrganisation = .unknown, provider: String = "acme"
  ) throws -> RESTFeed<Invoice> {
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    return RESTFeed(
      Invoice.self, provider: provider,
      resource: try RESTFixture.resource(RESTPaging(.none)), baseURL: url,
      organisation: organisation)
  }

  private var asked: RESTOrganisation {
    get throws {
      .asked(RESTIdentity(path: "/me", field: try RESTFixture.path("organisation.id")))
    }
  }

  @Test("a described list that names its organisation refuses another one's sign-in")
  func describedIdentity() async throws {
    let server = RESTServer(rows: 5)
    let fixture = try await SignInFixture(server)
    let feed = try feed(try asked)
    fixture.credentials.signIn("A")
    _ = try await fixture.run(feed)
    _ = try await fixture.run(feed)
    // Asked once, and not by the second run.
    #expect(server.requests == ["/v1/me", "/v1/list", "/v1/list"])
    fixture.credentials.signIn("B")
    for isFull in [false, true] {
      await #expect(throws: StorageError.self) {
        try await fixture.run(feed) { $0.isFull = isFull }
      }
      // The user's word does not count against the server's.
      await #expect(throws: StorageError.self) {
        try await fixture.run(feed) { $0.isSameOrganisation = true }
      }
    }
    #expect(try await fixture.stored().values.allSatisfy(\.self))
    fixture.credentials.signIn("A")
    #expect(try await fixture.run(feed).result == .complete)
    try await fixture.stop()
  }

  @Test("a sweep of another organisation's list deletes nothing before the user has answered")
  func describedSweep() async throws {
    let server = RESTServer(rows: 5)
    let fixture = try await SignInFixture(server)
    let feed = try feed()
    fixture.credentials.signIn("A")
    _ = try await fixture.run(feed)
    let asked = server.requests.count
    fixture.credentials.signIn("B")
    for number in 0..<5 { server.remove("r\(number)") }
    for kind in 0..<4 {
      await #expect {
        _ = try await fixture.run(feed) {
          $0.isFull = kind == 1
          $0.isDryRun = kind == 2
          $0.verifies = kind == 3
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
    // Once answered, by a flag or at the sign-in, the question is not asked again.
    #expect(try await fixture.run(feed) { $0.isSameOrganisation = true }.counts.deleted == 5)
    #expect(try await fixture.run(feed).result == .complete)
    fixture.credentials.signIn("C")
    let question = try await fixture.sync(feed).organisationQuestion()
    #expect(question?.holding == "5 invoices")
    try await fixture.database.noteSignIn("sign-in 3", account: "shop")
    #expect(try await fixture.sync(feed).organisationQuestion() == nil)
    #expect(try await fixture.run(feed).result == .complete)
    try await fixture.stop()
  }

  @Test("records of an earlier version are kept, and their organisation is proved at the next run")
  func earlierVersion() async throws {
    let fixture = try await SignInFixture(RESTServer(rows: 5))
    fixture.credentials.signIn("A")
    _ = try await fixture.run(try feed())
    try await fixture.forgetSignIn()
    let feed = try feed(try asked)
    #expect(try await fixture.run(feed).result == .complete)
    #expect(try await fixture.database.owner(account: "shop")?.source == "rest:api.acme.example:A")
    try await fixture.forgetSignIn()
    fixture.credentials.signIn("B")
    await #expect(throws: StorageError.self) { try await fixture.run(feed) }
    try await fixture.stop()
  }

  @Test("a description that gets another name keeps the account's records and its checkpoint")
  func renamed() async throws {
    let fixture = try await SignInFixture(RESTServer(rows: 5))
    fixture.credentials.signIn("A")
    _ = try await fixture.run(try feed())
    let report = try await fixture.run(try feed(provider: "acme-books"))
    #expect(report.result == .complete && report.counts.inserted == 0)
    try await fixture.stop()
  }

  @Test("records of a version that named the organisation for the description are kept")
  func formerName() async throws {
    let fixture = try await SignInFixture(RESTServer(rows: 5))
    fixture.credentials.signIn("A")
    let feed = try feed(try asked)
    _ = try await fixture.run(feed)
    let now = "rest:api.acme.example:A"
    try await fixture.database.renameSource(
      now, to: "\(feed.traits.provider):api.acme.example:A", account: "shop")
    let report = try await fixture.run(feed)
    #expect(report.result == .complete && report.counts.inserted == 0)
    #expect(try await fixture.database.owner(account: "shop")?.source == now)
    // The organisation itself is still the same one.
    try await fixture.database.renameSource(
      now, to: "\(feed.traits.provider):api.acme.example:B", account: "shop")
    await #expect(throws: StorageError.self) { try await fixture.run(feed) }
    try await fixture.stop()
  }

  @Test("a description that now names its organisation does not trust a new sign-in")
  func identityDescribedLater() async throws {
    let fixture = try await SignInFixture(RESTServer(rows: 5))
    fixture.credentials.signIn("A")
    _ = try await fixture.run(try feed())
    fixture.credentials.signIn("B")
    let feed = try feed(try asked)
    await #expect(throws: SyncError.self) { try await fixture.run(feed) }
    #expect(try await fixture.run(feed) { $0.isSameOrganisation = true }.result == .complete)
    #expect(try await fixture.database.owner(account: "shop")?.source == "rest:api.acme.example:B")
    try await fixture.stop()
  }

  @Test("an account that holds nothing becomes another organisation's, and reads all of its list")
  func emptyAccount() async throws {
    let server = RESTServer(rows: 0)
    let fixture = try await SignInFixture(server)
    let feed = try feed(try asked)
    fixture.credentials.signIn("A")
    #expect(try await fixture.run(feed).result == .complete)
    server.insert("r1")
    fixture.credentials.signIn("B")
    #expect(try await fixture.sync(feed).organisationQuestion() == nil)
    #expect(try await fixture.run(feed) { $0.isDryRun = true }.counts.inserted == 1)
    #expect(try await fixture.run(feed).counts.inserted == 1)
    #expect(try await fixture.database.owner(account: "shop")?.source == "rest:api.acme.example:B")
    try await fixture.stop()
  }

  @Test("pages that were read with another sign-in than the proved one are not stored")
  func changedMeanwhile() async throws {
    let credentials = TokenOfTheMoment()
    let server = RESTServer(rows: 5) { _, request in
      if request == 2 { credentials.signIn("B") }
    }
    let fixture = try await SignInFixture(server, credentials: credentials)
    credentials.signIn("A")
    await #expect {
      _ = try await fixture.run(try feed(try asked))
    } throws: { error in
      if case SyncError.signInChanged("shop") = error { true } else { false }
    }
    #expect(try await fixture.stored().isEmpty)
    try await fixture.stop()
  }

  @Test("each run fetches the organisation of tokens that could look alike")
  func providedTokens() async throws {
    let server = RESTServer(rows: 5)
    let fixture = try await SignInFixture(server, isUnique: false)
    fixture.credentials.signIn("A")
    _ = try await fixture.run(try feed(try asked))
    _ = try await fixture.run(try feed(try asked))
    #expect(server.requests == ["/v1/me", "/v1/list", "/v1/me", "/v1/list"])
    // If there is no user to ask, accounts that look the same count as the same.
    #expect(try await fixture.run(try feed()).result == .complete)
    #expect(server.requests.count == 5)
    try await fixture.stop()
  }
}
