import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Sandbox
import Storage
import Sync
import Testing

/// Whose records a sign-in reads is proved before anything is stored.
@Suite(.timeLimit(.minutes(10))) struct SignInTests {
  /// A described list of the organisation that the token names, and of no other.
  private func feed(_ organisation: RESTOrganisation = .unknown) throws -> RESTFeed<Invoice> {
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    return RESTFeed(
      Invoice.self, provider: "acme",
      resource: try RESTFixture.resource(RESTPaging(.none)), baseURL: url,
      organisation: organisation)
  }

  private var asked: RESTOrganisation {
    get throws {
      .asked(RESTIdentity(path: "/me", field: try RESTFixture.path("organisation.id")))
    }
  }

  @Test("another Stripe account's key, and a test key of the same one, are refused")
  func stripe() async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = .stripe
    configuration.source = .generated(invoices: 30, seed: 7)
    configuration.tenants = 2
    let server = try await SandboxServer.start(configuration)
    let fixture = try await SignInFixture()
    let feed = StripeFeed(baseURL: server.url)
    fixture.credentials.signIn("sk_live_1")
    #expect(try await fixture.run(feed).result == .complete)
    #expect(try await fixture.run(feed).requests == 1)
    let owner = try await fixture.database.owner(account: "shop")
    #expect(owner?.source.hasSuffix(":live") == true && owner?.login == "sign-in 1")
    let before = try await fixture.stored()
    for key in ["sk_live_2", "sk_test_1"] {
      fixture.credentials.signIn(key)
      await #expect {
        _ = try await fixture.run(feed)
      } throws: { error in
        guard case StorageError.sourceMismatch("shop", let holding, let stored, let offered) = error
        else { return false }
        return holding == "\(before.count) invoices" && stored == owner?.source && offered != stored
      }
      #expect(try await fixture.stored() == before)
    }
    // The first account again, with another key: it is asked once, and noted.
    fixture.credentials.signIn("sk_live_1")
    #expect(try await fixture.run(feed).requests == 3)
    #expect(try await fixture.run(feed).requests == 1)
    try await fixture.stop()
    await server.stop()
  }

  @Test("a restricted key is told from a test key by an invoice, where it may not read the balance")
  func restrictedKey() async throws {
    let server = AnsweringServer { path, query in
      switch path {
      case "/v1/account": (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": (403, #"{"error":{"code":"more_permissions_required"}}"#)
      default: (200, #"{"data":[{"id":"in_1","livemode":true,"created":1}],"has_more":false}"#)
      }
    }
    let url = try #require(URL(string: "https://api.stripe.example"))
    try await server.run(StripeFeed(baseURL: url)) { sync, database in
      _ = try await sync.run()
      #expect(try await database.owner(account: "default")?.source == "stripe:acct_1:live")
    }
  }

  @Test("a described list that tells its organisation refuses another one's sign-in")
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
    // Once answered, by a flag or at the sign-in, nobody is asked again.
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

  @Test("what an earlier version stored goes on, and is proved at its next run")
  func earlierVersion() async throws {
    let fixture = try await SignInFixture(RESTServer(rows: 5))
    fixture.credentials.signIn("A")
    _ = try await fixture.run(try feed())
    try await fixture.forgetSignIn()
    let feed = try feed(try asked)
    #expect(try await fixture.run(feed).result == .complete)
    #expect(try await fixture.database.owner(account: "shop")?.source == "acme:api.acme.example:A")
    try await fixture.forgetSignIn()
    fixture.credentials.signIn("B")
    await #expect(throws: StorageError.self) { try await fixture.run(feed) }
    try await fixture.stop()
  }

  @Test("a description that has come to tell its organisation does not take a new sign-in on trust")
  func identityDescribedLater() async throws {
    let fixture = try await SignInFixture(RESTServer(rows: 5))
    fixture.credentials.signIn("A")
    _ = try await fixture.run(try feed())
    fixture.credentials.signIn("B")
    let feed = try feed(try asked)
    await #expect(throws: SyncError.self) { try await fixture.run(feed) }
    #expect(try await fixture.run(feed) { $0.isSameOrganisation = true }.result == .complete)
    #expect(try await fixture.database.owner(account: "shop")?.source == "acme:api.acme.example:B")
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
    #expect(try await fixture.database.owner(account: "shop")?.source == "acme:api.acme.example:B")
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

  @Test("tokens that could look alike are asked for their organisation at each run")
  func providedTokens() async throws {
    let server = RESTServer(rows: 5)
    let fixture = try await SignInFixture(server, isUnique: false)
    fixture.credentials.signIn("A")
    _ = try await fixture.run(try feed(try asked))
    _ = try await fixture.run(try feed(try asked))
    #expect(server.requests == ["/v1/me", "/v1/list", "/v1/me", "/v1/list"])
    // Where there is nobody to ask, what looks the same is taken for the same.
    #expect(try await fixture.run(try feed()).result == .complete)
    #expect(server.requests.count == 5)
    try await fixture.stop()
  }
}
