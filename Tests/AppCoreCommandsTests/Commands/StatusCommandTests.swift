import ErrorCodes
import Foundation
import Models
import SystemSupport
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct StatusCommandTests {
  private static let rows =
    #"[{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1"}]"#

  @Test("status reports login, invoices and the last sync of each account")
  func status() async throws {
    let fixture = try CommandFixture([Self.rows])
    let before = try await fixture.run("status", "--json").document()
    let signedOut = try #require((before["accounts"] as? [[String: Any]])?.first)
    #expect(signedOut["login"] as? String == "signed-out" && signedOut["lastSync"] is NSNull)
    await fixture.logIn()
    #expect(await fixture.run("sync", "invoices").status == .done)
    let after = try await fixture.run("status", "--json").document()
    let account = try #require((after["accounts"] as? [[String: Any]])?.first)
    #expect(account["login"] as? String == "valid" && account["invoices"] as? Int == 1)
    #expect((account["lastSync"] as? [String: Any])?["result"] as? String == "complete")
    #expect((account["lastSyncs"] as? [String: Any])?.keys.sorted() == ["invoices"])
    #expect(after["databaseExists"] as? Bool == true)
    let text = await fixture.run("status").output
    #expect(
      text.contains("default (acme)")
        && text.contains("  invoices   1 excluding deleted; complete "))
  }

  @Test("status names the command that signs in, with the name of the account that has the login")
  func signIn() async throws {
    let fixture = try CommandFixture(
      configuration: """
        defaultAccount: acme.ltd
        accounts: { acme.ltd: { provider: acme }, shop: { login: acme.ltd, tenantID: b } }
        """)
    let text = await fixture.run("status").output
    #expect(
      text.contains(
        "  login      signed-out; sign in with: appcore login --account acme.ltd --token-stdin\n"),
      "\(text)")
    #expect(
      text.contains(
        "signed-out (shared with 'acme.ltd'); sign in with: "
          + "appcore login --account acme.ltd --token-stdin\n"))
  }

  @Test("without a keyring, status ends in 1 and says that every account needs the user")
  func withoutKeyring() async throws {
    let fixture = try CommandFixture()
    let ending = await fixture.run("status", "--json", store: AbsentKeyring())
    #expect(ending.status == .unclassified && ending.errors.isEmpty)
    let account = try #require((try ending.document()["accounts"] as? [[String: Any]])?.first)
    #expect(account["login"] as? String == "unknown" && account["needsUser"] as? Bool == true)
    let text = await fixture.run("status", store: AbsentKeyring()).output
    #expect(text.contains("logins       not available: cannot use the keyring: no D-Bus session"))
  }

  @Test("without a configuration, commands that need one name setup and create nothing")
  func withoutConfiguration() async throws {
    let fixture = try CommandFixture()
    try FileManager.default.removeItem(atPath: fixture.home.file("config/appcore/config.yaml"))
    for command in [
      ["status"], ["sync", "all"], ["sync", "invoices"], ["organisations", "list"],
    ] {
      let ending = await fixture.run(command)
      #expect(ending.status == .configuration, "\(command): \(ending)")
      #expect(ending.errors.contains("there is no configuration yet"), "\(command): \(ending)")
      #expect(ending.errors.contains("Run: appcore setup"), "\(command): \(ending)")
    }
    let doctor = await fixture.run("doctor")
    #expect(doctor.status == .unclassified, "\(doctor)")
    #expect(doctor.output.contains("there is no configuration yet\n     Run: appcore setup"))
    #expect(!doctor.output.contains("login default"))
    #expect(
      !FileManager.default.fileExists(atPath: fixture.home.file("data/appcore/appcore.sqlite")))
    let variables = ["APPCORE_CLIENT_ID": "c"]
    #expect(await fixture.run("status", variables: variables).output.contains("default (xero)"))
  }

  @Test("doctor ends in 0 if everything works, else in 1 with the command that fixes it")
  func doctor() async throws {
    let fixture = try CommandFixture(["[]"])
    let before = await fixture.run("doctor", "--json")
    #expect(before.status == .unclassified && before.errors.isEmpty)
    let document = try before.document()
    let checks = try #require(document["checks"] as? [[String: Any]])
    #expect(document["works"] as? Bool == false)
    #expect(
      checks.map { $0["name"] as? String } == [
        "D-Bus", "keyring", "lock folder", "database folder", "database", "login default",
        "server default",
      ])
    let login = try #require(checks.first { $0["name"] as? String == "login default" })
    #expect((login["hint"] as? String)?.contains("appcore login --account default") == true)
    await fixture.logIn()
    let after = await fixture.run("doctor")
    #expect(after.output.contains("ok   login default: valid\n"), "\(after.output)")
  }

  @Test("doctor --provider shows how each field of the first record is read")
  func provider() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows, Self.rows])
    let document = try await fixture.run("doctor", "--provider", "acme", "--json").document()
    let resource = try #require((document["resources"] as? [[String: Any]])?.first)
    #expect(resource["name"] as? String == "invoices" && resource["rows"] as? Int == 1)
    let fields = try #require(resource["fields"] as? [[String: Any]])
    let total = try #require(fields.first { $0["field"] as? String == "total" })
    #expect(total["found"] as? String == "\"1\"" && total["value"] as? String == "1")
    let text = await fixture.run("doctor", "--provider", "acme")
    #expect(text.status == .done && text.output.contains("ok   invoices: 1 on the page"))
    let columns = text.output.split(separator: "\n").filter { $0.hasPrefix("     ") }
    let names = columns.compactMap { $0.split(separator: " ").first.map(String.init) }
    for field in fields {
      let name = try #require(field["field"] as? String)
      #expect(names.count { $0 == name } == 1, "\(name): \(columns)")
    }
    #expect(
      try await fixture.run("status", "--json").document()["databaseExists"] as? Bool == false)
  }

  @Test("an unknown key of the configuration is reported with its line and the available ones")
  func unknownKey() async throws {
    let fixture = try CommandFixture(configuration: "secretStore: { x: 3 }")
    let ending = await fixture.run("status", "--json")
    #expect(ending.status == .configuration && ending.output.isEmpty)
    let message = try #require(try ending.failure()["message"] as? String)
    #expect(
      message.hasSuffix(
        "config.yaml:1:16: secretStore.x: unknown key 'x'; available: kind, service, keyFile, path"),
      "\(message)")
  }

  @Test("a named configuration file has to exist")
  func absentFile() async throws {
    let ending = try await CommandFixture().run("status", "--config", "/nowhere.yaml")
    #expect(ending.status == .configuration && ending.errors.contains("/nowhere.yaml"))
  }

  @Test("help and version go to standard output; a mistake in the arguments ends in 64")
  func usage() async throws {
    let fixture = try CommandFixture()
    let help = await fixture.run("invoices", "--help")
    #expect(help.status == .done && help.output.contains("USAGE: appcore invoices"))
    #expect(await fixture.run("--version").output == "appcore \(Version.text)\n")
    let mistake = await fixture.run("status", "--jsn", "--json")
    #expect(mistake.status == .usage && mistake.output.isEmpty)
    #expect(try mistake.failure()["code"] as? String == "usage")
  }
}
