import Foundation
import Models
import Storage
import TestSupport
import Testing

@testable import AppCoreCommands

/// The values that a shell completes.
@Suite(.timeLimit(.minutes(10))) struct ConfiguredValuesTests {
  private let home: TemporaryDirectory
  private let environment: [String: String]

  init() throws {
    home = try TemporaryDirectory()
    let file = try home.write(
      """
      defaultAccount: shop
      accounts: { shop: { provider: square }, acme: { provider: xero } }
      """, to: "config.yaml")
    environment = ["APPCORE_CONFIG": file, "XDG_DATA_HOME": home.path, "HOME": home.path]
  }

  @Test("accounts and providers come from the configuration that the command line names")
  func configuration() throws {
    let values = try #require(ConfiguredValues(["status"], environment: environment))
    #expect(values.accounts == ["acme", "shop"])
    #expect(values.providers.starts(with: ["xero", "quickbooks", "stripe"]))
    let other = try home.write("accounts: { firm: {} }\n", to: "other.yaml")
    for words in [["--config", other], ["--config=" + other]] {
      let values = try #require(ConfiguredValues(words, environment: environment))
      #expect(values.accounts == ["firm"])
    }
  }

  @Test("after a comma, the other accounts are completed")
  func severalAccounts() {
    let found = ListCompletion.completions(of: "shop,", ["acme", "shop"])
    #expect(found == ["shop,acme"])
  }

  @Test("an invalid configuration completes nothing")
  func invalidConfiguration() throws {
    let file = try home.write("nonsense: 1\n", to: "bad.yaml")
    #expect(ConfiguredValues(["--config", file], environment: environment) == nil)
  }

  @Test("without a database no number is completed, and none is created")
  func noDatabase() async throws {
    let values = try #require(ConfiguredValues([], environment: environment))
    #expect(await values.invoiceNumbers(startingWith: "").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["config.yaml"])
  }

  @Test("the numbers of the account's invoices are completed, and those of no other account")
  func numbers() async throws {
    try FileManager.default.createDirectory(
      atPath: home.file("appcore"), withIntermediateDirectories: true)
    let database = try await LocalDatabase.open(at: home.file("appcore/appcore.sqlite"))
    let store = database.invoiceStore
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    for (account, numbers) in [("shop", ["INV-1", "INV-2", "X-1"]), ("acme", ["INV-9"])] {
      let run = try await store.beginRun(
        RunStart(
          account: account, provider: "square", kind: .full, startedAt: instant,
          watermarkBefore: nil))
      var page = PendingPage(source: "square:1", instant: instant)
      page.records = store.encode(try numbers.map { try SampleRecords.invoice($0, number: $0) })
      _ = try await run.commit([page])
    }
    try await database.updateIndexes()
    try await database.close()
    let values = try #require(ConfiguredValues(["invoices", "show"], environment: environment))
    #expect(await values.invoiceNumbers(startingWith: "INV-").sorted() == ["INV-1", "INV-2"])
    #expect(await values.invoiceNumbers(startingWith: "X") == ["X-1"])
    let other = try #require(ConfiguredValues(["--account", "acme"], environment: environment))
    #expect(await other.invoiceNumbers(startingWith: "") == ["INV-9"])
  }

  @Test(
    "a list is completed after its last comma, with the values that it lacks",
    arguments: [
      ("", ["open", "paid"]), ("op", ["open", "paid"]), ("open,p", ["open,paid"]),
      ("open,paid,", []), ("x,", ["x,open", "x,paid"]),
    ])
  func list(typed: String, expected: [String]) {
    #expect(ListCompletion.completions(of: typed, ["open", "paid"]) == expected)
  }
}
