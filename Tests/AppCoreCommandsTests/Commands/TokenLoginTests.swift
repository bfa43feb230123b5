import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

/// Tokens that are passed, which the provider has to accept before they are stored.
@Suite(.timeLimit(.minutes(10))) struct TokenLoginTests {
  @Test("a refused token is not stored, and the earlier login stays", arguments: [401, 403])
  func refused(status: Int) async throws {
    let rows = #"[{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1"}]"#
    let fixture = try await CommandFixture.loggedIn([rows])
    fixture.server.answerNext(.reply(CommandFixture.reply("{}", status: "\(status) No")))
    let ending = await fixture.run("login", "--token-stdin", "--json", input: "wrong")
    #expect(ending.status == .signInRequired && ending.output.isEmpty)
    let message = try #require(try ending.failure()["message"] as? String)
    #expect(message.contains("refuses the token (status \(status))"), "\(message)")
    #expect(await fixture.run("sync", "invoices").status == .done)
    #expect(fixture.server.requests.last?.contains("Bearer key") == true)
  }

  @Test("a text that is no token is named as such")
  func noToken() async throws {
    let fixture = try CommandFixture()
    for (text, message) in [
      ("", "There is no token."), ("a b", "This is no token: it has a space"),
    ] {
      let ending = await fixture.run("login", "--token-stdin", input: text)
      #expect(ending.status == .usage && ending.errors.contains(message), "\(ending.errors)")
    }
  }

  @Test("a token that cannot be checked is not stored")
  func unreachable() async throws {
    let fixture = try CommandFixture()
    let ending = await fixture.run("login", "--token-stdin", input: "key")
    #expect(ending.status == .unavailable && ending.output.isEmpty, "\(ending.errors)")
    #expect(await fixture.run("status").output.contains("signed-out"))
  }

  @Test("a user at a terminal types the token unseen")
  func typed() async throws {
    let fixture = try CommandFixture(["[]"])
    let ending = await fixture.run("login", "--token-stdin", typed: ["typed-key"])
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(ending.errors.contains("Access token (not shown): [unseen]"))
    #expect(fixture.server.requests.first?.contains("Bearer typed-key") == true)
  }

  /// A Xero account at the scripted server, whose login reaches two organisations.
  private func xero(replies: Int, _ more: String = "") throws -> CommandFixture {
    let connections = """
      [{"tenantId":"11","tenantName":"Acme","tenantType":"ORGANISATION"},\
      {"tenantId":"22","tenantName":"Bolt","tenantType":"ORGANISATION"}]
      """
    return try CommandFixture(
      Array(repeating: connections, count: replies),
      configuration: "accounts: { default: { provider: xero, clientID: c\(more) } }",
      resources: "  xero: { baseURL: \"{server}\" }")
  }

  @Test(
    "a login that reaches several organisations takes the named one", arguments: ["bolt", "22"])
  func named(organisation: String) async throws {
    let fixture = try xero(replies: 3)
    let ending = await fixture.run(
      "login", "--token-stdin", "--no-input", "--organisation", organisation, input: "key")
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(ending.output == "Signed in as Bolt at Xero (account 'default').\n")
    _ = await fixture.run("sync", "invoices")
    let sent = try #require(fixture.server.requests.last)
    #expect(sent.lowercased().contains("xero-tenant-id: 22"), "\(sent)")
  }

  @Test("a login that reaches several organisations asks for one by name")
  func asked() async throws {
    let fixture = try xero(replies: 2)
    // A token is passed by a script as a rule, so only its name is known.
    let silent = await fixture.run("login", "--token-stdin", input: "key")
    #expect(silent.status == .done)
    #expect(silent.output == "Signed in as 'default' at Xero; no organisation is chosen yet.\n")
    #expect(silent.errors.contains("1) Acme  11") && silent.errors.contains("2) Bolt  22"))
    #expect(silent.errors.contains("appcore login --account default --organisation 'NAME'"))
  }

  @Test("a user who chooses none yet is signed in, and the list is shown once")
  func noneYet() async throws {
    let fixture = try xero(replies: 2)
    let ending = await fixture.run("login", "--token-stdin", typed: ["key", ""])
    #expect(ending.output == "Signed in as 'default' at Xero; no organisation is chosen yet.\n")
    #expect(ending.errors.split(separator: "1) Acme").count == 2, "\(ending.errors)")
    #expect(ending.errors.contains("organisations add --all"), "\(ending.errors)")
  }

  @Test("a sync without a chosen organisation names them, and the command that chooses one")
  func unchosen() async throws {
    let fixture = try xero(replies: 4)
    #expect(await fixture.run("login", "--token-stdin", input: "key").status == .done)
    let ending = await fixture.run("sync", "invoices")
    #expect(ending.status == .configuration)
    #expect(ending.errors.contains("reaches: Acme (11), Bolt (22)\n"), "\(ending.errors)")
    #expect(
      ending.errors.contains("Choose one: appcore login --organisation 'NAME'"), "\(ending.errors)")
  }

  @Test("an organisation that the login does not reach is refused with those that it does")
  func unknown() async throws {
    let fixture = try xero(replies: 2)
    let ending = await fixture.run(
      "login", "--token-stdin", "--organisation", "Nosuch", input: "key")
    #expect(ending.status == .configuration)
    #expect(ending.errors.contains("available: Acme (11), Bolt (22)"), "\(ending.errors)")
  }

  @Test("of forty organisations, those that a text may mean are shown with their identifiers")
  func forty() async throws {
    let names = (1...38).map { "Client \($0)" } + ["Acme", "Acme"]
    let connections = names.enumerated().map {
      #"{"tenantId":"t\#($0)","tenantName":"\#($1)","tenantType":"ORGANISATION"}"#
    }
    let fixture = try CommandFixture(
      Array(repeating: "[\(connections.joined(separator: ","))]", count: 8),
      configuration: "accounts: { default: { provider: xero, clientID: c } }",
      resources: "  xero: { baseURL: \"{server}\" }")
    let login = ["login", "--token-stdin", "--replace"]
    let same = await fixture.run(login + ["--organisation", "acme"], input: "key")
    #expect(same.status == .configuration)
    #expect(
      same.errors.contains(
        "this login reaches several organisations 'acme'; choose by identifier: "
          + "Acme (t38), Acme (t39)\n"), "\(same.errors)")
    let part = await fixture.run(login + ["--organisation", "client"], input: "key")
    #expect(
      part.errors.contains("organisation 'client'; available: Client 1 (t0), Client 2 (t1)")
        && part.errors.contains(" and 33 more\n  To list all: appcore organisations\n"),
      "\(part.errors)")
    let typed = await fixture.run(login, typed: ["key", "acme", "nosuch", "40"])
    #expect(
      typed.errors.contains("choose one by number:\n  39) Acme  t38\n  40) Acme  t39\n"),
      "\(typed.errors)")
    #expect(typed.errors.contains("the numbers are 1 to 40"), "\(typed.errors)")
    #expect(typed.errors.contains("\n   9) Client 9   t8\n  10) Client 10  t9\n"))
    #expect(typed.output == "Signed in as Acme at Xero (account 'default').\n")
  }

  @Test("the configured organisation wins over every choice")
  func configured() async throws {
    let fixture = try xero(replies: 2, ", tenantID: \"11\"")
    let ending = await fixture.run(
      "login", "--token-stdin", "--organisation", "Bolt", input: "key")
    #expect(ending.output == "Signed in as Acme at Xero (account 'default').\n")
  }
}
