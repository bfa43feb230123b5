import Foundation
import TestSupport
import Testing

@testable import AppCore

/// Accounts that use the login of another one, as the configuration says.
@Suite(.timeLimit(.minutes(10))) struct SharedLoginTests {
  private static let shared = """
    accounts:
      firm: { clientID: c, provider: quickbooks }
      acme: { login: firm, tenantID: "1" }
      globex: { login: firm, tenantID: "2" }
      shop: { provider: stripe }

    """

  @Test("an account takes the provider and the login of another one")
  func sharing() throws {
    let configuration = try CoreConfiguration(yaml: Self.shared)
    #expect(configuration.accounts["acme"]?.provider == "quickbooks")
    #expect(configuration.accounts["acme"]?.clientID == nil)
    #expect(configuration.login(of: "acme") == "firm" && configuration.login(of: "shop") == "shop")
    #expect(configuration.accounts(usingLoginOf: "globex") == ["acme", "firm", "globex"])
    #expect(configuration.logins == ["firm", "shop"])
  }

  @Test("the client variable of the default account sets the client of its login")
  func variable() throws {
    let configuration = try CoreConfiguration(
      yaml:
        Self.shared + "defaultAccount: acme\n", ["APPCORE_CLIENT_ID": "other"])
    #expect(configuration.accounts["firm"]?.clientID == "other")
    #expect(configuration.accounts["acme"]?.clientID == nil)
  }

  @Test(
    "a key that an account with a shared login may not have is refused with its line",
    arguments: [
      ("login: fim, tenantID: \"1\"", "login", "did you mean 'firm'?"),
      ("login: nowhere, tenantID: \"1\"", "login", "available: firm, shop"),
      ("login: acme, tenantID: \"1\"", "login", "remove this key"),
      ("login: globex, tenantID: \"1\"", "login", "write login: firm"),
      ("login: firm, tenantID: \"1\", clientID: x", "clientID", "the login of 'firm'"),
      ("login: firm, tenantID: \"1\", scopes: [a]", "scopes", "the login of 'firm'"),
      ("login: firm, tenantID: \"1\", provider: xero", "provider", "one of quickbooks"),
      ("login: firm, tenantID: \"2\"", "tenantID", "account 'globex' has this organisation"),
    ])
  func misuse(section: String, key: String, problem: String) throws {
    let yaml = """
      accounts:
        firm: { clientID: c, provider: quickbooks }
        globex: { login: firm, tenantID: "2" }
        acme: { \(section) }
        shop: { provider: stripe }
      """
    // Two accounts of one organisation: the second by name has the error.
    let line = problem.contains("has this organisation") ? (3, "accounts.globex.tenantID") : nil
    let error = #expect(throws: ConfigurationError.self) { try CoreConfiguration(yaml: yaml) }
    #expect(error?.source == "config.yaml" && error?.line == line?.0 ?? 4)
    #expect(error?.key == line?.1 ?? "accounts.acme.\(key)")
    let text = problem.replacing("'globex' has", with: "'acme' has")
    #expect(error?.problem.contains(text) == true, "\(error?.problem ?? "")")
  }

  @Test("an account that shares a login names its organisation")
  func noOrganisation() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try CoreConfiguration(yaml: "accounts:\n  firm: {}\n  acme: { login: firm }\n")
    }
    #expect(error?.line == 3 && error?.key == "accounts.acme")
    #expect(error?.problem.contains("tenantID is missing") == true)
  }

  @Test("a configuration that a front end creates follows the same rules")
  func created() throws {
    let folder = try TemporaryDirectory()
    var directories = Directories(environment: [:])
    directories.state = folder.file("state")
    var configuration = CoreConfiguration()
    var account = AccountConfiguration(provider: "xero")
    account.login = "firm"
    configuration.accounts["acme"] = account
    #expect(throws: ConfigurationError.self) {
      _ = try ApplicationCore(configuration: configuration, directories: directories)
    }
  }

  @Test("an account is a file in a folder beside the configuration, and says where it comes from")
  func folder() throws {
    let home = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: home.file("accounts.d"), withIntermediateDirectories: true)
    let file = try home.write("accounts:\n  firm: { clientID: c }\n", to: "config.yaml")
    _ = try home.write("login: firm\ntenantID: \"7\"\n", to: "accounts.d/acme.yaml")
    _ = try home.write("nonsense", to: "accounts.d/acme.yaml~")
    let loader = ConfigurationLoader(environment: [:])
    let configuration = try loader.load(path: file)
    #expect(configuration.accounts["acme"]?.tenantID == "7")
    // An added account does not change which one is used without --account.
    #expect(configuration.defaultAccount == "firm")
    let values = try loader.values(path: file)
    let value = try #require(values.first { $0.key == "accounts.acme.tenantID" })
    #expect(value.value == "7" && value.source == .file(home.file("accounts.d/acme.yaml"), line: 2))
    #expect(values.first { $0.key == "defaultAccount" }?.value == "firm")
    _ = try home.write("login: firm\ntenant: x\n", to: "accounts.d/globex.yaml")
    let error = #expect(throws: ConfigurationError.self) { try loader.load(path: file) }
    #expect(error?.source == home.file("accounts.d/globex.yaml") && error?.line == 2)
    #expect(error?.key == "accounts.globex.tenant")
    _ = try home.write("login: firm\ntenantID: \"8\"\n", to: "accounts.d/firm.yaml")
    let twice = #expect(throws: ConfigurationError.self) { try loader.load(path: file) }
    #expect(twice?.problem.contains("also in \(file), line 2") == true, "\(twice?.problem ?? "")")
  }

  @Test("each configuration file has a folder of its own")
  func folders() {
    #expect(AccountFolder(besideConfiguration: "/a/config.yaml").path == "/a/accounts.d")
    #expect(AccountFolder(besideConfiguration: "/a/other.yaml").path == "/a/other.accounts.d")
  }

  @Test(
    "an account is named after its organisation",
    arguments: [
      ("Acme Ltd", "acme-ltd"), ("  Bräuhof & Söhne GmbH ", "brauhof-sohne-gmbh"),
      ("Straße Æsir Ørsted Łódź", "strasse-aesir-orsted-lodz"), ("O'Neill’s", "oneills"),
      ("株式会社サンプル", "organisation"), ("", "organisation"), ("Taken", "taken-3"),
    ])
  func names(organisation: String, name: String) {
    #expect(AccountName.from(organisation, taken: ["taken", "taken-2"]) == name)
  }

  @Test("a long name leaves room for a number, and ends in no hyphen")
  func longName() {
    let long = String(repeating: "abcdefg ", count: 20)
    let name = AccountName.from(long, taken: [])
    #expect(name.count <= 56 && name.hasSuffix("g"))
  }
}
