import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

/// Two configurations with one account name and different servers.
@Suite(.timeLimit(.minutes(10))) struct OtherLoginTests {
  @Test("a login of another server is neither replaced nor removed silently")
  func otherServer() async throws {
    let fixture = try await CommandFixture.loggedIn(["[]", "[]"])
    let other = try ScriptedServer([.reply(CommandFixture.reply("[]"))])
    let own = fixture.home.file("config/appcore/config.yaml")
    let text = try String(contentsOfFile: own, encoding: .utf8)
    let file = try fixture.home.write(
      text.replacing(fixture.server.url, with: other.url), to: "other.yaml")
    for command in [["login", "--token-stdin"], ["logout", "--quiet"]] {
      let ending = await fixture.run(command[0], command[1], "--config", file, input: "second")
      #expect(ending.status == .configuration, "\(ending.errors)")
      #expect(ending.errors.contains("belongs to \(fixture.server.url)"), "\(ending.errors)")
    }
    #expect(other.requests.isEmpty)
    #expect(await fixture.run("status").output.contains("valid"))
    let replaced = await fixture.run(
      "login", "--token-stdin", "--replace", "--config", file, input: "second")
    #expect(replaced.status == .done, "\(replaced.errors)")
    let removed = await fixture.run("logout", "--force")
    #expect(removed.status == .done && removed.output.contains("Signed out"), "\(removed.errors)")
    other.stop()
  }

  @Test("logout --all reports the logins that it ended, and ends with the failure of the other")
  func all() async throws {
    let fixture = try CommandFixture(
      configuration: """
        defaultAccount: one
        accounts: { one: { provider: acme }, two: { provider: acme } }
        """)
    for account in ["one", "two"] {
      fixture.server.answerNext(.reply(CommandFixture.reply("[]")))
      let login = await fixture.run("login", "--token-stdin", "--account", account, input: "key")
      #expect(login.status == .done, "\(login.errors)")
    }
    let own = fixture.home.file("config/appcore/config.yaml")
    let text = try String(contentsOfFile: own, encoding: .utf8)
    let file = try fixture.home.write(
      text.replacing("two: { provider: acme }", with: "two: { provider: acme, clientID: x }"),
      to: "other.yaml")
    let ending = await fixture.run("logout", "--all", "--config", file, "--json")
    #expect(ending.status == .configuration)
    let accounts = try #require(try ending.document()["accounts"] as? [[String: Any]])
    #expect(accounts.map { $0["account"] as? String } == ["one"], "\(ending.output)")
    #expect(try ending.failure()["account"] as? String == "two")
    let again = await fixture.run("logout", "--all", "--config", file)
    #expect(again.output == "'one' was not signed in.\n")
    #expect(again.errors.hasPrefix("appcore: two: "), "\(again.errors)")
    #expect(await fixture.run("status", "--account", "two").output.contains("valid"))
  }
}
