import TestSupport
import Testing

/// Keys of two companies for one account, with the real program.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct OtherOrganisationTests {
  @Test(
    "another company's key is refused, whatever kind of run it is",
    arguments: [("stripe", "stripe:acct_"), ("telling", "rest:127.0.0.1:acct_")])
  func refused(account: String, source: String) async throws {
    let companies = try await TwoCompanies()
    #expect(try await companies.signIn(account, "sk_live_1").status == 0)
    #expect(try await companies.sync(account) == 0)
    let before = try await companies.stored(account)
    #expect(!before.isEmpty)
    #expect(try await companies.signIn(account, "sk_live_2").status == 0)
    for more in ["--full", "--dry-run", "--verify", "--same-organisation"] {
      #expect(try await companies.sync(account, more) == 78, "\(more)")
    }
    let refused = try await companies.run(["sync", "invoices", "--account", account])
    #expect(refused.status == 78)
    #expect(refused.errors.contains("holds \(before.count) invoices of \(source)"))
    #expect(refused.errors.contains("logout --account \(account) --forget-invoices"))
    #expect(try await companies.stored(account) == before)
    // Its own key again.
    #expect(try await companies.signIn(account, "sk_live_1").status == 0)
    #expect(try await companies.sync(account) == 0)
    #expect(try await companies.stored(account) == before)
  }

  @Test(
    "after a logout, another company's key syncs nothing, and the first one's records stay",
    arguments: ["stripe", "telling", "silent"])
  func signedOut(account: String) async throws {
    let companies = try await TwoCompanies()
    let login = ["login", "--account", account, "--token-stdin", "--no-input"]
    let sync = ["sync", "invoices", "--account", account]
    #expect(try await companies.run(login, input: "sk_live_1").status == 0)
    #expect(try await companies.run(sync).status == 0)
    let before = try await companies.stored(account)
    #expect(!before.isEmpty && before.values.allSatisfy(\.self))
    #expect(try await companies.run(["logout", "--account", account]).status == 0)
    #expect(try await companies.run(login, input: "sk_live_2").status == 0)
    let refused = try await companies.run(sync)
    #expect(refused.status == 78 && refused.errors.contains("holds \(before.count) invoices"))
    #expect(try await companies.stored(account) == before)
  }

  @Test("a list that the configuration moves is synced after the user's confirmation")
  func moved() async throws {
    let companies = try await TwoCompanies()
    _ = try await companies.signIn("silent", "sk_live_1")
    #expect(try await companies.sync("silent") == 0)
    let before = try await companies.stored("silent")
    try companies.configure(#"query: { limit: "100" }"#, as: #"query: { limit: "50" }"#)
    let refused = try await companies.run(["sync", "invoices", "--account", "silent"])
    #expect(refused.status == 78 && refused.errors.contains("new sign-in or address belongs"))
    #expect(refused.errors.contains("sync all --account silent --same-organisation"))
    let again = try await companies.run(
      ["sync", "all", "--account", "silent", "--same-organisation"])
    #expect(again.status == 0)
    #expect(try await companies.sync("silent") == 0)
    #expect(try await companies.stored("silent") == before)
  }

  @Test("an account that is emptied can be another company's")
  func emptied() async throws {
    let companies = try await TwoCompanies()
    _ = try await companies.signIn("stripe", "sk_live_1")
    #expect(try await companies.sync("stripe") == 0)
    let before = try await companies.stored("stripe")
    let logout = try await companies.run(["logout", "--account", "stripe", "--forget-invoices"])
    #expect(logout.status == 0 && logout.output.contains("deleted from this machine"))
    _ = try await companies.signIn("stripe", "sk_live_2")
    #expect(try await companies.sync("stripe") == 0)
    let after = try await companies.stored("stripe")
    #expect(!after.isEmpty && Set(after.keys).isDisjoint(with: before.keys))
  }

  @Test("a sign-in of an unknown organisation asks once, and a sync waits for the answer")
  func unproven() async throws {
    let companies = try await TwoCompanies()
    let first = try await companies.signIn("silent", "sk_live_1")
    #expect(first.status == 0 && first.errors.isEmpty)
    #expect(try await companies.sync("silent") == 0)
    let before = try await companies.stored("silent")
    let login = try await companies.signIn("silent", "sk_live_2")
    #expect(login.status == 0 && login.errors.contains("sync all --account silent --same-organ"))
    let refused = try await companies.run(["sync", "invoices", "--account", "silent", "--full"])
    #expect(refused.status == 78 && refused.errors.contains("holds \(before.count) invoices"))
    #expect(refused.errors.contains("sync all --account silent --same-organisation"))
    #expect(try await companies.stored("silent") == before)
    let answered = try await companies.signIn("silent", "sk_live_1", "--same-organisation")
    #expect(answered.status == 0 && answered.errors.isEmpty)
    #expect(try await companies.sync("silent") == 0)
    #expect(try await companies.stored("silent") == before)
    _ = try await companies.signIn("silent", "sk_live_1")
    #expect(try await companies.sync("silent", "--same-organisation") == 0)
    #expect(try await companies.sync("silent") == 0)
  }

  @Test(
    "a token that is passed at each start has its organisation checked as well",
    arguments: ["stripe", "silent"])
  func handedOver(account: String) async throws {
    let companies = try await TwoCompanies()
    let sync = ["sync", "invoices", "--account", account]
    func run(_ key: String) async throws -> Int32 {
      try await companies.run(
        sync, credentials: try companies.credentials(key, account: account)
      ).status
    }
    #expect(try await run("sk_live_1") == 0)
    let before = try await companies.stored(account)
    #expect(try await run("sk_live_1") == 0)
    #expect(try await run("sk_live_2") == 78)
    #expect(try await companies.stored(account) == before)
  }
}
