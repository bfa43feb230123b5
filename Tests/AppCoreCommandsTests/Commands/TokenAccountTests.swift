import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

/// Accounts of providers without a sign-in in a browser, whose user passes a token.
@Suite(.timeLimit(.minutes(10))) struct TokenAccountTests {
  /// The account and an empty list of its invoices in one: each sign-in asks for both.
  private static let stripe = #"{"id":"acct_1","object":"list","data":[],"has_more":false}"#

  private func stripe(signIns: Int = 1) throws -> CommandFixture {
    try CommandFixture(
      Array(repeating: Self.stripe, count: 4 * signIns),
      configuration: "accounts: { default: { provider: stripe } }",
      resources: "  stripe: { baseURL: \"{server}\" }")
  }

  @Test("a plain login at a terminal asks for the token, in the provider's words")
  func asksAtTerminal() async throws {
    let fixture = try stripe()
    let ending = await fixture.run("login", typed: ["rk_test_1"])
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(ending.errors.contains("API key (not shown): [unseen]"), "\(ending.errors)")
    #expect(fixture.server.requests.first?.contains("Bearer rk_test_1") == true)
  }

  @Test(
    "every other sign-in names the command that passes the token", arguments: [[], ["--device"]])
  func refused(options: [String]) async throws {
    let ending = await (try stripe()).run(["login"] + options)
    #expect(ending.status == .configuration)
    #expect(
      ending.errors.hasSuffix(": appcore login --account default --token-stdin\n"),
      "\(ending.errors)")
    #expect(!ending.errors.contains("browser:"), "\(ending.errors)")
  }

  @Test("status and doctor name that command too")
  func hints() async throws {
    let fixture = try stripe()
    for command in ["status", "doctor", "sync"] {
      let ending = await fixture.run(command == "sync" ? ["sync", "all"] : [command])
      let text = ending.output + ending.errors
      #expect(text.contains("appcore login --account default --token-stdin"), "\(text)")
    }
  }

  @Test("a login is replaced by a typed token only if the user agrees", arguments: [true, false])
  func replacement(agrees: Bool) async throws {
    let fixture = try stripe(signIns: 2)
    #expect(await fixture.run("login", "--token-stdin", input: "rk_test_1").status == .done)
    let ending = await fixture.run(
      "login", "--token-stdin", typed: ["rk_test_2"], answer: agrees)
    #expect(ending.status == .done)
    #expect(ending.errors.contains("Kept the login of 'default'.") != agrees, "\(ending.errors)")
    #expect(ending.errors.contains("[unseen]") == agrees, "The token is asked for afterwards.")
  }

  @Test("the only organisation of a login is remembered with it")
  func onlyOrganisation() async throws {
    let connections = #"[{"tenantId":"11","tenantName":"Acme","tenantType":"ORGANISATION"}]"#
    let fixture = try CommandFixture(
      Array(repeating: connections, count: 2),
      configuration: "accounts: { default: { provider: xero, clientID: c } }",
      resources: "  xero: { baseURL: \"{server}\" }")
    let login = await fixture.run("login", "--token-stdin", input: "key")
    #expect(login.output == "Signed in as Acme at Xero (account 'default').\n", "\(login.errors)")
    let again = await fixture.run("login", "--token-stdin", typed: ["other"], answer: false)
    #expect(again.errors.contains("already signed in as Acme;"), "\(again.errors)")
  }
}
