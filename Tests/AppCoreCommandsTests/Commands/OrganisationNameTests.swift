import Foundation
import Storage
import TestSupport
import Testing

@testable import AppCoreCommands

/// People read which company each of several accounts is.
@Suite(.timeLimit(.minutes(10))) struct OrganisationNameTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture(
      configuration: "accounts: { shop: { provider: acme }, other: { provider: acme } }")
    try await fixture.store([try SampleRecords.invoice("a")], account: "shop")
    try await fixture.store([try SampleRecords.invoice("b")], account: "other")
    let database = try await LocalDatabase.open(at: fixture.file("data/appcore/appcore.sqlite"))
    try await database.setOrganisation(
      NamedOrganisation(id: "1", name: "Muster GmbH"), account: "shop")
    try await database.setOrganisation(NamedOrganisation(id: "2", name: "OTHER"), account: "other")
    try await database.close()
    return fixture
  }

  @Test(
    "lists, sums and states of several accounts name the organisation, and no name twice",
    arguments: [
      ["invoices", "list"], ["contacts", "list"], ["invoices", "summary"],
      ["invoices", "summary", "--by", "account"],
    ])
  func tables(command: [String]) async throws {
    let fixture = try await fixture()
    let database = try await LocalDatabase.open(at: fixture.file("data/appcore/appcore.sqlite"))
    try await database.close()
    if command[0] == "contacts" {
      try await fixture.store([], contacts: [SampleRecords.contact("c", "Ada")], account: "shop")
    }
    let all = await fixture.run(command + ["--all-accounts"]).output
    #expect(all.contains("shop (Muster GmbH)"), "\(all)")
    #expect(!all.contains("OTHER"), "\(all)")
    let one = await fixture.run(command + ["--account", "shop"]).output
    #expect(!one.contains("Muster") || command.last == "account", "\(one)")
  }

  @Test("status names the organisation beside the provider, and as a member of its document")
  func status() async throws {
    let fixture = try await fixture()
    let ending = await fixture.run("status")
    #expect(ending.output.contains("shop (Muster GmbH, acme)\n"), "\(ending.output)")
    #expect(ending.output.contains("other (acme)\n"), "\(ending.output)")
    let document = try await fixture.run("status", "--json").document()
    let accounts = try #require(document["accounts"] as? [[String: Any]])
    #expect(accounts.map { $0["organisationName"] as? String } == ["OTHER", "Muster GmbH"])
  }

  @Test("a report of each account has the organisation in its title and in its document")
  func report() async throws {
    let fixture = try await fixture()
    let ending = await fixture.run("report", "--each", "pages", "--json")
    let reports = try #require(try ending.document()["reports"] as? [[String: Any]])
    #expect(reports.compactMap { $0["organisationName"] as? String }.contains("Muster GmbH"))
    let page = try String(contentsOfFile: fixture.file("pages/shop.html"), encoding: .utf8)
    #expect(page.contains("<title>Invoices of shop (Muster GmbH), "), "\(page.prefix(600))")
  }

  @Test("pages of accounts that are gone are named, and files of others are not")
  func leftPages() async throws {
    let fixture = try await fixture()
    _ = await fixture.run("report", "--each", "pages")
    let folder = fixture.file("pages")
    try FileManager.default.copyItem(atPath: folder + "/shop.html", toPath: folder + "/gone.html")
    try Data("<html/>".utf8).write(to: URL(filePath: folder + "/index.html"))
    let ending = await fixture.run("report", "--each", "pages")
    #expect(ending.errors.contains("pages/gone.html is an earlier page"), "\(ending.errors)")
    #expect(!ending.errors.contains("index.html"), "\(ending.errors)")
    let one = await fixture.run("report", "--each", "pages", "--account", "shop")
    #expect(!one.errors.contains("earlier page"), "\(one.errors)")
  }

  @Test("a sync of several accounts names each, and says a failure once to one reader")
  func sync() async throws {
    let fixture = try await fixture()
    let piped = await fixture.run("sync", "invoices", "--all-accounts")
    #expect(piped.output.contains("shop (Muster GmbH)  failed: "), "\(piped.output)")
    let shown = await fixture.run("sync", "invoices", "--all-accounts", columns: 200)
    #expect(shown.output.contains("shop (Muster GmbH)  failed\n"), "\(shown.output)")
    #expect(shown.errors.contains("is not signed in"), "\(shown.errors)")
    let document = try await fixture.run("sync", "invoices", "--all-accounts", "--json").document()
    let accounts = try #require(document["accounts"] as? [[String: Any]])
    #expect(
      accounts.compactMap { $0["organisationName"] as? String }.sorted().first == "Muster GmbH")
  }

  @Test("a run that another configuration's account of the name had is not shown")
  func otherRuns() async throws {
    let fixture = try CommandFixture(
      configuration: "accounts: { default: { provider: xero, clientID: c } }")
    try await fixture.store([try SampleRecords.invoice("a")])
    let ending = await fixture.run("status")
    #expect(ending.output.contains("excluding deleted; never synced"), "\(ending.output)")
  }

  @Test("an empty list says that the usual database has the records")
  func elsewhere() async throws {
    let fixture = try await fixture()
    let missing = fixture.file("missing.sqlite")
    let variables = ["APPCORE_DATABASE": missing]
    let ending = await fixture.run("invoices", "list", "--account", "shop", variables: variables)
    #expect(
      ending.errors.contains("Nothing is stored in \(missing), but "), "\(ending.errors)")
    #expect(ending.errors.contains("appcore.sqlite has 2 invoices"), "\(ending.errors)")
    let export = await fixture.run(
      "invoices", "export", "--account", "shop", "-o", "a.csv", variables: variables)
    #expect(export.errors.contains("has 2 invoices"), "\(export.errors)")
    #expect(!FileManager.default.fileExists(atPath: missing))
  }
}
