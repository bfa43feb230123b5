import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

/// An account with a login of its own that begins to share another's.
@Suite(.timeLimit(.minutes(10))) struct UnusedLoginTests {
  /// Signs two accounts in, and returns the options of a configuration in which one shares the
  /// other's login.
  private func shared(_ fixture: CommandFixture) async throws -> [String] {
    for account in ["firm", "shop"] {
      fixture.server.answerNext(.reply(CommandFixture.reply("[]")))
      let ending = await fixture.run("login", "--token-stdin", "--account", account, input: "key")
      #expect(ending.status == .done, "\(ending.errors)")
    }
    let own = try String(
      contentsOfFile: fixture.home.file("config/appcore/config.yaml"), encoding: .utf8)
    let text = own.replacing("shop: { provider: acme,", with: "shop: { login: firm,")
    return ["--config", try fixture.home.write(text, to: "shared.yaml")]
  }

  private func fixture() throws -> CommandFixture {
    try CommandFixture(
      configuration: """
        defaultAccount: firm
        accounts:
          firm: { provider: acme, tenantID: one }
          shop: { provider: acme, tenantID: two }
        """)
  }

  private func warning(_ fixture: CommandFixture, _ options: [String]) async -> String? {
    await fixture.run(["doctor"] + options).output.split(separator: "\n").map(String.init)
      .first { $0.contains("unused login") }
  }

  @Test(
    "a user at a terminal is asked before a login that other accounts use ends",
    arguments: [true, false])
  func sharedLogin(agrees: Bool) async throws {
    let fixture = try fixture()
    let options = try await shared(fixture)
    let ending = await fixture.run(
      ["logout", "--account", "shop"] + options, typed: [""], answer: agrees)
    #expect(ending.status == .done)
    #expect(
      ending.errors.contains("This ends the login of 'firm' too. Continue? [y/N] "),
      "\(ending.errors)")
    #expect(ending.output.contains("Signed out") == agrees, "\(ending.output)")
    let script = await fixture.run(["logout", "--account", "shop"] + options, answer: false)
    #expect(!script.errors.contains("Continue?") && !script.output.isEmpty, "\(script.errors)")
  }

  @Test("the earlier login is kept and reported, and --unused removes nothing but it")
  func removal() async throws {
    let fixture = try fixture()
    let options = try await shared(fixture)
    #expect(await warning(fixture, []) == nil)
    let warning = await warning(fixture, options)
    #expect(warning?.hasPrefix("WARN unused login shop: an earlier login of its own") == true)
    let command = ["logout", "--account", "shop", "--unused"]
    // In the configuration in which the account has a login of its own, that is in use.
    #expect(await fixture.run(command).output == "'shop' has no unused login.\n")
    let removed = await fixture.run(command + options)
    #expect(removed.output == "Removed the unused login of 'shop' from this machine.\n")
    #expect(await self.warning(fixture, options) == nil)
    #expect(await fixture.run(["status"] + options).status == .done)
    let own = await fixture.run("status", "--account", "shop")
    #expect(own.status == .unclassified && own.output.contains("signed-out"), "\(own.output)")
  }

  @Test("an account that stops sharing has its login again")
  func reversal() async throws {
    let fixture = try fixture()
    let options = try await shared(fixture)
    #expect(await fixture.run(["status"] + options).status == .done)
    // A sign-out of the shared login leaves it alone too.
    #expect(await fixture.run(["logout", "--account", "shop"] + options).status == .done)
    #expect(await fixture.run("status", "--account", "shop").output.contains("valid"))
  }

  @Test("logout --all removes an unused login as well")
  func all() async throws {
    let fixture = try fixture()
    let options = try await shared(fixture)
    let ending = await fixture.run(["logout", "--all"] + options)
    #expect(ending.output.contains("Removed the unused login of 'shop'"), "\(ending.output)")
    #expect(await fixture.run("status", "--account", "shop").output.contains("signed-out"))
    #expect(
      await fixture.run(["logout", "--account", "shop", "--unused", "--all"]).status == .usage)
  }
}
