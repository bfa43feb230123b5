import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
  @Test("doctor asks the accounts concurrently, and reports them by name")
  func concurrent() async throws {
    let fixture = try CommandFixture(
      configuration: """
        defaultAccount: one
        accounts: { one: { provider: acme }, two: { provider: acme }, three: { provider: acme } }
        """)
    let server = fixture.server
    for account in ["one", "two", "three"] {
      await fixture.logIn(account)
    }
    // The address of each account's sign-in is asked before its records.
    let gate = Gate()
    for _ in 0..<3 { server.answerNext(.reply(CommandFixture.reply("[]"))) }
    for _ in 0..<3 { server.answerNext(.replyAfter(gate, CommandFixture.reply(""))) }
    let before = server.requests.count
    let running = Task { await fixture.run("doctor", "--json") }
    try await eventually("all three are asked") { server.requests.count == before + 3 }
    gate.open()
    let ending = await running.joined
    let checks = try #require(try ending.document()["checks"] as? [[String: Any]])
    #expect(ending.status == .done, "\(ending.output)")
    #expect(
      checks.compactMap { $0["name"] as? String }.suffix(9)
        == ["one", "three", "two"].flatMap { ["login \($0)", "server \($0)", "request \($0)"] })
  }

  @Test("a sign-in server that does not answer is a warning while a passed token works")
  func signInServer() async throws {
    let fixture = try CommandFixture(
      ["[]", "[]"],
      configuration: "accounts: { default: { provider: books, clientID: id } }",
      resources: """
          books:
            kind: rest
            baseURL: '{server}/v1'
            authorizationURL: http://127.0.0.1:1/authorize
            tokenURL: http://127.0.0.1:1/token
            resources:
              invoices:
                path: /invoices
                rows: .
                fields: { id: id, type: { value: invoice }, status: s, currency: c, total: t }
        """)
    let before = await fixture.run("doctor")
    #expect(before.output.contains("FAIL server default: "), "\(before.output)")
    let login = await fixture.run("login", "--token-stdin", input: "key")
    #expect(login.status == .done, "\(login.errors)")
    let after = await fixture.run("doctor")
    #expect(
      after.output.contains("WARN server default: ")
        && after.output.contains("The stored token works without this server"), "\(after.output)")
    #expect(after.status == .done, "\(after.output)")
  }

  @Test("doctor states a problem of several accounts once, with their names")
  func joined() async throws {
    let names = (1...5).map { "shop\($0)" }
    let fixture = try CommandFixture(
      configuration: "accounts: { "
        + names.map { "\($0): { provider: acme }" }.joined(separator: ", ") + " }")
    let text = await fixture.run("doctor").output
    let lines = text.split(separator: "\n").filter { $0.contains(" server shop") }
    #expect(lines.count == 1, "\(text)")
    #expect(
      lines.first?.contains("server shop1, shop2, shop3, shop4, shop5: lost the connection")
        == true,
      "\(text)")
    // Each account needs a sign-in of its own, so each has its command.
    #expect(text.components(separatedBy: "appcore login --account shop").count == 6, "\(text)")
    let checks = try await fixture.run("doctor", "--json").document()["checks"] as? [[String: Any]]
    #expect(
      checks?.compactMap { $0["name"] as? String }.filter { $0.hasPrefix("server ") }.count == 5)
  }

  @Test("a session whose name is nearly one of appcore's own is a warning")
  func mistypedSession() async throws {
    let fixture = try CommandFixture(
      configuration: """
        accounts: { default: { provider: acme } }
        sessions: { invoces: { timeout: { request: 5s } }, reports: {} }
        """)
    let text = await fixture.run("doctor").output
    #expect(
      text.contains(
        """
        WARN session invoces: sessions.invoces of the configuration is used by no sync
             Did you mean sessions.invoices?

        """), "\(text)")
    #expect(!text.contains("sessions.reports"))
  }

  @Test("each failure has a fix, and the fix's command names the configuration, in JSON too")
  func fixes() async throws {
    let fixture = try CommandFixture(configuration: "sync: { maximum: 3 }")
    let wrong = await fixture.run("doctor")
    #expect(wrong.output.contains("appcore help configuration\n"), "\(wrong.output)")
    let file = try fixture.home.write(
      "accounts: { default: { provider: stripe } }", to: "other.yaml")
    let ending = await fixture.run(
      "doctor", "--json", "--config", file, variables: ["XDG_STATE_HOME": "/proc/none"])
    let checks = try #require(try ending.document()["checks"] as? [[String: Any]])
    func hint(_ name: String) throws -> String? {
      try #require(checks.first { $0["name"] as? String == name })["hint"] as? String
    }
    #expect(
      try hint("login default")?.contains("appcore --config \(file) login") == true, "\(checks)")
    #expect(
      try hint("lock folder") == "Choose another with XDG_STATE_HOME, or make /proc writable.")
    let failed = checks.filter { $0["works"] as? Bool == false }
    #expect(failed.allSatisfy { $0["hint"] is String }, "\(failed)")
  }

  @Test("without a keyring its own check fails alone, and only a provided token is a login")
  func withoutKeyring() async throws {
    let fixture = try CommandFixture(
      Array(repeating: "[]", count: 6),
      configuration: """
        defaultAccount: one
        accounts: { one: { provider: acme }, two: { provider: acme } }
        """)
    func checks(_ variables: [String: String] = [:]) async throws -> [String: Bool] {
      let ending = await fixture.run(
        "doctor", "--json", variables: variables, store: AbsentKeyring())
      #expect(ending.status == .unclassified)
      let checks = try #require(try ending.document()["checks"] as? [[String: Any]])
      return Dictionary(
        checks.map { ($0["name"] as? String ?? "", $0["works"] as? Bool ?? false) }
      ) { $0 && $1 }
    }
    let without = try await checks()
    #expect(without.filter { !$0.value }.map(\.key) == ["keyring"], "\(without)")
    #expect(without["server one"] == true && without["server two"] == true)
    #expect(!without.keys.contains { $0.hasPrefix("login ") }, "\(without)")
    _ = try fixture.home.write("token", to: "appcore.one.token")
    let provided = try await checks(["CREDENTIALS_DIRECTORY": fixture.home.path])
    #expect(provided.filter { !$0.value }.map(\.key) == ["keyring"], "\(provided)")
    #expect(provided["login one"] == true && provided["request one"] == true, "\(provided)")
    #expect(provided["login two"] == nil)
  }
}
