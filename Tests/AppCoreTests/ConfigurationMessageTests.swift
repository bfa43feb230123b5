import Foundation
import TestSupport
import Testing

@testable import AppCore

/// The messages about mistakes in a configuration, word for word.
@Suite(.timeLimit(.minutes(10))) struct ConfigurationMessageTests {
  private func message(_ yaml: String, _ environment: [String: String] = [:]) -> String? {
    do {
      _ = try CoreConfiguration(yaml: yaml, environment)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "text that is not YAML is reported with the line and the cause",
    arguments: [
      (
        "provider: xero\nprovider: square\n",
        "config.yaml:2:1: 'provider' is given twice (first on line 1)"
      ),
      (
        "accounts:\n  a:\n    clientID: x\n\n    # y\n    \"clientID\" : z\n",
        "config.yaml:6:5: 'clientID' is given twice (first on line 3)"
      ),
      (
        "accounts:\n  a: { clientID: x, clientID: y }\n",
        "config.yaml:2: 'clientID' is given twice"
      ),
      ("accounts:\n\ta: {}\n", "config.yaml:2:1: indent with spaces, not tabs"),
    ])
  func notYAML(yaml: String, expected: String) {
    #expect(message(yaml) == expected)
  }

  // Edge case 66
  @Test("a password in an address is refused, and shown nowhere")
  func password() throws {
    let text = try #require(
      message("providers:\n  xero:\n    baseURL: https://ada:hunter2@api.example/v1\n"))
    #expect(text.contains("expected a URL without a user name and a password"), "\(text)")
    #expect(!text.contains("hunter2"))
  }

  @Test("another mistake in YAML is reported with its line and column")
  func column() throws {
    let text = try #require(message("accounts: [a\nprovider: xero\n"))
    #expect(
      text.hasPrefix("config.yaml:2:9: not valid YAML: "), "\(text)")
  }

  @Test(
    "a mistyped key is reported with the nearest one",
    arguments: [
      (
        "accounts: { a: { clientId: x } }",
        "config.yaml:1:18: accounts.a.clientId: unknown key 'clientId'; did you mean 'clientID'?"
      ),
      (
        "acounts:\n  a: {}",
        "config.yaml:1:1: acounts: unknown key 'acounts'; did you mean 'accounts'?"
      ),
      (
        "secretStore: { x: 1 }",
        "config.yaml:1:16: secretStore.x: unknown key 'x'; available: kind, service, keyFile, path"
      ),
    ])
  func keys(yaml: String, expected: String) {
    #expect(message(yaml) == expected)
  }

  @Test("an unknown provider is reported where it is named, with the list of providers")
  func provider() {
    let list = "available: " + CoreConfiguration().providerNames.joined(separator: ", ")
    #expect(
      message("\naccounts:\n  a:\n    provider: xerox\n")
        == "config.yaml:4:15: accounts.a.provider: unknown provider 'xerox'; \(list); "
        + "did you mean 'xero'?")
    #expect(
      message("provider: nosuch\n")
        == "config.yaml:1:11: provider: unknown provider 'nosuch'; \(list)"
    )
    #expect(
      message("provider: xero\n", ["APPCORE_PROVIDER": "nosuch"])
        == "APPCORE_PROVIDER: unknown provider 'nosuch'; \(list)")
  }

  @Test("an unknown default account is refused with the available ones")
  func unknownAccount() {
    let accounts = "accounts: { work: {}, home: {} }\n"
    #expect(
      message("defaultAccount: nosuch\n" + accounts)
        == "config.yaml:1:17: defaultAccount: unknown account 'nosuch'; available: home, work")
    #expect(
      message(accounts, ["APPCORE_ACCOUNT": "zz"])
        == "APPCORE_ACCOUNT: unknown account 'zz'; available: home, work")
    #expect(message(accounts, ["APPCORE_ACCOUNT": "home"]) == nil)
  }

  @Test("an only account is the default, and several accounts have no default unless one is named")
  func defaultAccount() throws {
    let single = try CoreConfiguration(yaml: "accounts: { work: { provider: square } }")
    #expect(single.defaultAccount == "work" && Set(single.accounts.keys) == ["work"])
    try single.requireChoice("work")
    let empty = try CoreConfiguration(yaml: "")
    #expect(empty.defaultAccount == "default" && empty.accounts["default"] != nil)
    let several = try CoreConfiguration(yaml: "accounts: { work: {}, home: {} }")
    #expect(Set(several.accounts.keys) == ["home", "work"])
    #expect {
      try several.requireChoice(several.defaultAccount)
    } throws: { error in
      let error = error as? ConfigurationError
      return error?.problem == "no account is the default; available: home, work"
        && error?.fix == "Pass --account NAME, or set defaultAccount."
    }
    try several.requireChoice("home")
    let usual = try CoreConfiguration(yaml: "accounts: { default: {}, home: {} }")
    try usual.requireChoice(usual.defaultAccount)
  }

  @Test("a tilde at the beginning of a path is the home folder")
  func home() throws {
    let configuration = try CoreConfiguration(
      yaml: """
        database: ~/books.sqlite
        secretStore: { kind: encrypted-file, keyFile: ~/key, path: ~/logins }
        accounts: { default: { clientSecretFile: ~/secret } }
        """, ["HOME": "/home/ada"])
    #expect(configuration.databasePath == "/home/ada/books.sqlite")
    #expect(
      configuration.secretStore
        == .encryptedFile(keyFile: "/home/ada/key", path: "/home/ada/logins"))
    #expect(configuration.accounts["default"]?.clientSecretFile == "/home/ada/secret")
    let named = try CoreConfiguration(
      yaml: "", ["HOME": "/home/ada", "APPCORE_DATABASE": "~/x"])
    #expect(named.databasePath == "/home/ada/x")
    #expect(message("database: books.sqlite") != nil)
  }

  @Test("a file that is absent is named, with the command that creates it")
  func absentFile() throws {
    let folder = try TemporaryDirectory()
    let loader = ConfigurationLoader(environment: ["HOME": folder.path])
    let path = folder.file("nosuch.yaml")
    #expect {
      _ = try loader.load(path: path)
    } throws: { error in
      let error = error as? ConfigurationError
      return error?.description == "\(path): file not found"
        && error?.fix == "Create it with: appcore setup --config \(path)"
    }
    let configuration = try loader.load()
    #expect(configuration.isFileMissing)
    let missing = configuration.missingClientID(of: "default", from: nil)
    #expect(
      "\(missing)" == folder.file(".config/appcore/config.yaml") + ": there is no configuration yet"
    )
    #expect(missing.fix == "Run: appcore setup")
  }
}
