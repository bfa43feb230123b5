import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

/// The text of `appcore status` for logins that are shared, or of another configuration.
@Suite(.timeLimit(.minutes(10))) struct StatusTextTests {
  @Test("an account that only holds a login of others needs nobody after a sync of its own failed")
  func loginOnly() async throws {
    let connections = """
      [{"tenantId":"11","tenantName":"Acme","tenantType":"ORGANISATION"},\
      {"tenantId":"22","tenantName":"Bolt","tenantType":"ORGANISATION"}]
      """
    let fixture = try CommandFixture(
      Array(repeating: connections, count: 4),
      configuration: "accounts: { default: { provider: xero, clientID: c } }",
      resources: "  xero: { baseURL: \"{server}\" }")
    #expect(await fixture.run("login", "--token-stdin", input: "key").status == .done)
    #expect(await fixture.run("organisations", "add", "--all").status == .done)
    let sync = await fixture.run("sync", "all")
    #expect(sync.status == .configuration)
    #expect(sync.errors.contains("accounts that use its login: appcore sync all --all-accounts."))
    let status = await fixture.run("status")
    #expect(status.status == .done, "\(status.output)")
    #expect(status.output.contains("  syncs      none of its own; other accounts use its login\n"))
  }

  @Test("a stored login of another configuration is named with its server, and how to replace it")
  func otherConfiguration() async throws {
    let fixture = try CommandFixture(["[]"])
    await fixture.logIn()
    let own = fixture.home.file("config/appcore/config.yaml")
    let text = try String(contentsOfFile: own, encoding: .utf8)
    let file = try fixture.home.write(
      text.replacing(fixture.server.url, with: "http://127.0.0.1:1"), to: "other.yaml")
    let status = await fixture.run("status", "--config", file)
    #expect(
      status.output.contains(
        "signed-out; the stored one is of \(fixture.server.url)/v1, to replace it: "
          + "appcore --config \(file) login --account default --token-stdin --replace\n"),
      "\(status.output)")
    let doctor = await fixture.run("doctor", "--config", file)
    #expect(
      doctor.output.contains("FAIL login default: accounts: default: this login belongs to "),
      "\(doctor.output)")
  }

  @Test("many accounts take a line each, and the details of those that need the user follow")
  func many() async throws {
    let names = (1...12).map { "shop-\($0)" }
    let accounts = names.map { "\($0): { provider: acme }" }.joined(separator: ", ")
    let fixture = try CommandFixture(
      configuration: "defaultAccount: shop-1\naccounts: { \(accounts) }")
    for name in names.dropFirst() {
      fixture.server.answerNext(.reply(CommandFixture.reply("[]")))
      let login = await fixture.run("login", "--token-stdin", "--account", name, input: "key")
      #expect(login.status == .done, "\(login.errors)")
    }
    try await fixture.store(
      [try SampleRecords.invoice("a", number: "A", "1")], account: "shop-2")
    let ending = await fixture.run("status")
    let lines = ending.output.split(separator: "\n").map(String.init)
    #expect(ending.status == .unclassified)
    #expect(lines[0].hasPrefix("ACCOUNT  LOGIN         INVOICES"), "\(ending.output)")
    #expect(lines[1].hasPrefix("shop-1   signed-out !  none; never synced"), "\(ending.output)")
    #expect(lines[5].hasPrefix("shop-2   valid         1 excluding deleted; "), "\(ending.output)")
    #expect(lines[13] == "Needs you (!):" && lines[14] == "shop-1 (acme)", "\(ending.output)")
    #expect(lines.count == 20, "\(ending.output)")
    let terminal = await fixture.run("status", columns: 80).output
    #expect(terminal.hasPrefix("ACCOUNT  LOGIN"), "\(terminal)")
    let rows = terminal.split(separator: "\n").prefix(13)
    #expect(rows.allSatisfy { $0.count <= 80 } && !terminal.contains("[1m"), "\(terminal)")
    let runs = await fixture.run("status", "--runs", "1").output
    #expect(runs.contains("shop-12 (acme)"))
  }
}
