import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

/// The organisations of a login as accounts in files of their own.
@Suite(.timeLimit(.minutes(10))) struct OrganisationsCommandTests {
  /// A signed-in Xero account, whose login reaches three organisations; Bolt is its own.
  private func fixture(replies: Int) async throws -> CommandFixture {
    let connections = """
      [{"tenantId":"11","tenantName":"Acme","tenantType":"ORGANISATION"},\
      {"tenantId":"22","tenantName":"Bolt","tenantType":"ORGANISATION"},\
      {"tenantId":"33","tenantName":"Cray","tenantType":"ORGANISATION"}]
      """
    let fixture = try CommandFixture(
      Array(repeating: connections, count: 2 + replies),
      configuration: "accounts: { default: { provider: xero, clientID: c } }",
      resources: "  xero: { baseURL: \"{server}\" }")
    let login = await fixture.run(
      "login", "--token-stdin", "--account", "default", "--organisation", "Bolt", input: "key")
    #expect(login.status == .done, "\(login.errors)")
    return fixture
  }

  private func files(_ fixture: CommandFixture) throws -> [String] {
    let folder = fixture.file("config/appcore/accounts.d")
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".yaml") }.sorted()
  }

  @Test("an organisation that is named twice is added once")
  func twice() async throws {
    let fixture = try await fixture(replies: 2)
    let added = await fixture.run("organisations", "add", "Acme", "11", "Bolt", "Bolt", "--json")
    #expect(added.status == .done, "\(added.errors)")
    let document = try added.document()
    #expect((document["added"] as? [Any])?.count == 1, "\(added.output)")
    #expect((document["existing"] as? [Any])?.count == 1, "\(added.output)")
    #expect(try files(fixture) == ["acme.yaml"])
    #expect(await fixture.run("organisations", "list").status == .done)
  }

  @Test("an organisation that has an account is not added under another name")
  func existing() async throws {
    let fixture = try await fixture(replies: 2)
    #expect(await fixture.run("organisations", "add", "Acme").status == .done)
    let again = await fixture.run("organisations", "add", "Acme", "--as", "other")
    #expect(again.output == "Acme is account 'acme' already\n", "\(again.errors)")
    #expect(try files(fixture) == ["acme.yaml"])
  }

  @Test("adding says how to connect the next organisation, where a sign-in connects one")
  func next() async throws {
    let fixture = try await fixture(replies: 2)
    let hint = """
      Xero connects one organisation at each sign-in. To connect the next one, sign in again and \
      choose it there: appcore login
      """
    let added = await fixture.run("organisations", "add", "Acme")
    #expect(added.errors.contains(hint), "\(added.errors)")
    #expect(added.errors.hasSuffix("Then: appcore organisations add --all\n"), "\(added.errors)")
    #expect(await fixture.run("organisations", "add", "Acme").errors.contains(hint))
  }

  @Test("status, doctor and the sign-out of all know the records of accounts that were removed")
  func removedAccounts() async throws {
    let fixture = try CommandFixture()
    try await fixture.store(
      [try SampleRecords.invoice("a")], contacts: [SampleRecords.contact("c", "Acme")],
      account: "gone")
    let command = "appcore organisations remove gone --forget-invoices"
    let status = await fixture.run("status").output
    #expect(status.contains("gone\n  removed    2 records of an account"), "\(status)")
    #expect(status.contains(command), "\(status)")
    let removed =
      try await fixture.run("status", "--json").document()["removed"] as? [[String: Any]]
    #expect(removed?.first?["name"] as? String == "gone" && removed?.count == 1)
    #expect(removed?.first?["contacts"] as? Int == 1)
    #expect(await fixture.run("doctor").output.contains(command))
    let kept = await fixture.run("logout", "--all")
    #expect(kept.status == .done && !kept.output.contains("gone"), "\(kept)")
    let ending = await fixture.run("logout", "--all", "--forget-invoices")
    #expect(
      ending.output.contains(
        "The records of 'gone', which is not configured any more, are deleted"),
      "\(ending)")
    #expect(!(await fixture.run("status").output.contains("gone")))
  }

  @Test("two files for one organisation are reported with the file to delete")
  func twoFiles() async throws {
    let fixture = try await fixture(replies: 2)
    #expect(await fixture.run("organisations", "add", "Acme").status == .done)
    let folder = "config/appcore/accounts.d"
    let text = try String(contentsOfFile: fixture.file(folder + "/acme.yaml"), encoding: .utf8)
    let file = try fixture.home.write(text, to: folder + "/aaa.yaml")
    _ = try fixture.home.write(text, to: folder + "/zzz.yaml")
    for name in ["acme", "zzz"] {
      let path = fixture.file(folder + "/\(name).yaml")
      let ending = await fixture.run("organisations", "remove", name)
      #expect(ending.status == .configuration)
      #expect(ending.errors.contains("account 'aaa' has this organisation already"))
      #expect(ending.errors.contains("rm "), "\(ending.errors)")
      let named = try #require(ending.errors.split(separator: " ").last).trimmingCharacters(
        in: .whitespacesAndNewlines)
      try FileManager.default.removeItem(atPath: named)
      #expect(!FileManager.default.fileExists(atPath: path), "\(ending.errors)")
    }
    #expect(FileManager.default.fileExists(atPath: file))
    #expect(await fixture.run("organisations", "remove", "aaa").status == .done)
  }

  @Test("an account that cannot be removed keeps its invoices")
  func refused() async throws {
    let fixture = try await fixture(replies: 0)
    try await fixture.store([try SampleRecords.invoice("a")])
    let ending = await fixture.run("organisations", "remove", "default", "--forget-invoices")
    #expect(ending.status == .configuration)
    #expect(ending.errors.contains("in your own file"), "\(ending.errors)")
    #expect(await fixture.run("invoices", "show", "a").status == .done)
  }

  @Test("the default account is not removed, and the line or variable that names it is reported")
  func defaultAccount() async throws {
    let fixture = try await fixture(replies: 1)
    #expect(await fixture.run("organisations", "add", "Acme", "Cray").status == .done)
    let own = "config/appcore/config.yaml"
    let text = try String(contentsOfFile: fixture.file(own), encoding: .utf8)
    _ = try fixture.home.write("defaultAccount: acme\n" + text, to: own)
    try await fixture.store([try SampleRecords.invoice("a")], account: "acme")
    let ending = await fixture.run("organisations", "remove", "acme", "--forget-invoices")
    #expect(ending.status == .configuration)
    let place = fixture.file(own) + ":1: defaultAccount: "
    #expect(ending.errors.contains(place), "\(ending.errors)")
    #expect(ending.errors.contains("Set defaultAccount to another account"), "\(ending.errors)")
    #expect(await fixture.run("invoices", "show", "a").status == .done)
    let variables = ["APPCORE_ACCOUNT": "cray"]
    let chosen = await fixture.run("organisations", "remove", "cray", variables: variables)
    #expect(chosen.status == .configuration)
    #expect(chosen.errors.contains("APPCORE_ACCOUNT"), "\(chosen.errors)")
    #expect(await fixture.run("organisations", "remove", "cray").status == .done)
  }

  @Test("the records of an account that was removed can be deleted later")
  func leftRecords() async throws {
    let fixture = try await fixture(replies: 1)
    #expect(await fixture.run("organisations", "add", "Acme").status == .done)
    try await fixture.store([try SampleRecords.invoice("a")], account: "acme")
    try await fixture.store(
      [try SampleRecords.invoice("b"), try SampleRecords.invoice("c")], account: "default")
    #expect(await fixture.run("organisations", "remove", "acme").status == .done)
    #expect(await fixture.run("invoices", "show", "a", "--account", "acme").status == .done)
    let kept = await fixture.run("organisations", "remove", "acme")
    #expect(kept.status == .configuration)
    let command = "appcore organisations remove acme --forget-invoices"
    #expect(kept.errors.contains(command), "\(kept.errors)")
    let forgotten = await fixture.run("organisations", "remove", "acme", "--forget-invoices")
    #expect(forgotten.status == .done, "\(forgotten.errors)")
    #expect(forgotten.output == "The invoices of 'acme' are deleted from this machine.\n")
    #expect(await fixture.run("invoices", "list", "--account", "acme").status == .configuration)
    #expect(await fixture.run("invoices", "show", "b").status == .done)
    let unknown = await fixture.run("organisations", "remove", "acme", "--forget-invoices")
    #expect(unknown.errors.contains("unknown account 'acme'"), "\(unknown.errors)")
  }

  @Test("unknown names create no database")
  func unknownName() async throws {
    let fixture = try await fixture(replies: 0)
    let ending = await fixture.run("organisations", "remove", "nobody", "--forget-invoices")
    #expect(ending.errors.contains("unknown account 'nobody'"), "\(ending.errors)")
    #expect(!FileManager.default.fileExists(atPath: fixture.file("data/appcore/appcore.sqlite")))
  }
}
