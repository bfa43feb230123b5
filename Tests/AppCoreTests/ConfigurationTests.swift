import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import AppCore

@Suite(.timeLimit(.minutes(10))) struct ConfigurationTests {
  @Test("every value of the shipped file is a default")
  func shippedFile() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Config/appcore.yaml")
    let shipped = try CoreConfiguration(yaml: try String(contentsOf: file, encoding: .utf8))
    let none = try CoreConfiguration(yaml: "")
    #expect(shipped.defaultAccount == none.defaultAccount)
    for module in ["auth", "invoices", "documents"] {
      #expect(shipped.session(module) == none.session(module), "\(module)")
    }
  }

  @Test("sessions differ, and a module without an entry gets the defaults")
  func sessions() throws {
    let configuration = try CoreConfiguration(
      yaml:
        """
        sessions:
          invoices: { timeout: { connect: 3s, idle: 500ms, request: 1m }, concurrency: 9, retry: { attempts: 2, maxWait: 5s } }
        """)
    let session = configuration.session("invoices")
    #expect(session.timeout.connect == .seconds(3) && session.timeout.idle == .milliseconds(500))
    #expect(session.timeout.request == .seconds(60) && session.concurrency == 9)
    #expect(session.retry.attempts == 2 && session.retry.maxWait == .seconds(5))
    #expect(configuration.session("auth").timeout.request == .seconds(20))
    #expect(configuration.session("auth").redirects == .none)
  }

  @Test("the environment overrides the file")
  func precedence() throws {
    let yaml = "accounts:\n  default: { clientID: file }\n"
    #expect(try CoreConfiguration(yaml: yaml).accounts["default"]?.clientID == "file")
    #expect(
      try CoreConfiguration(yaml: yaml, ["APPCORE_CLIENT_ID": "environment"]).accounts["default"]?
        .clientID
        == "environment")
  }

  @Test(
    "a mistake is named with file, line and key",
    arguments: [
      ("provider: xero\nnonsense: 1\n", 2, "nonsense"),
      (
        "sessions:\n  invoices:\n    timeout: { connect: soon }\n", 3,
        "sessions.invoices.timeout.connect"
      ),
      ("sessions:\n  auth: { redirects: 3 }\n", 2, "sessions.auth"),
      ("sessions:\n  invoices: { concurrency: 0 }\n", 2, "sessions.invoices.concurrency"),
      (
        "sessions:\n  auth: { extraCACertificates: [/none.pem] }\n", 2,
        "sessions.auth.extraCACertificates"
      ),
      ("accounts:\n  ../x: {}\n", 2, "accounts.../x"),
      ("providers:\n  xero: { baseURL: ftp://x }\n", 2, "providers.xero.baseURL"),
      ("providers:\n  xero: { baseURL: http://192.0.2.2/ }\n", 2, "providers.xero.baseURL"),
      ("accounts: []\n", 1, "accounts"),
    ])
  func errors(yaml: String, line: Int, key: String) {
    #expect {
      _ = try CoreConfiguration(yaml: yaml)
    } throws: { error in
      let error = error as? ConfigurationError
      return error?.source == "config.yaml" && error?.line == line && error?.key == key
    }
  }

  @Test("the path of a database is absolute, wherever the program is started")
  func relativeDatabase() throws {
    #expect(try CoreConfiguration(yaml: "", ["APPCORE_DATABASE": "/x/y"]).databasePath == "/x/y")
    #expect(throws: ConfigurationError.self) {
      try CoreConfiguration(yaml: "", ["APPCORE_DATABASE": "x/y"])
    }
    #expect(throws: ConfigurationError.self) { try CoreConfiguration(yaml: "database: x/y\n") }
  }

  @Test("text that is not YAML and a named file that does not exist are errors")
  func unreadable() {
    #expect(throws: ConfigurationError.self) { _ = try CoreConfiguration(yaml: "a: [") }
    #expect(throws: ConfigurationError.self) {
      _ = try ConfigurationLoader(environment: [:]).load(path: "/nonexistent/config.yaml")
    }
  }

  @Test("the store of logins is chosen by name; half a choice is an error")
  func secretStore() throws {
    #expect(try CoreConfiguration(yaml: "").secretStore == .keyring())
    #expect(
      try CoreConfiguration(yaml: "secretStore: { service: my-program }\n").secretStore
        == .keyring(service: "my-program"))
    #expect(
      try CoreConfiguration(
        yaml: "secretStore: { kind: encrypted-file, keyFile: key, path: /x/y }\n"
      ).secretStore
        == .encryptedFile(keyFile: "key", path: "/x/y"))
    for (yaml, key) in [
      ("secretStore: { kind: plain }\n", "secretStore.kind"),
      ("secretStore: { kind: encrypted-file }\n", "secretStore"),
      ("secretStore: { keyFile: x }\n", "secretStore"),
      ("secretStore: { service: '' }\n", "secretStore.service"),
      ("secretStore: { kind: encrypted-file, keyFile: x, service: y }\n", "secretStore"),
      ("secretStore: { kind: encrypted-file, keyFile: x, path: y }\n", "secretStore.path"),
      ("accounts: { a: { resources: [x] } }\n", "accounts.a.resources"),
    ] {
      #expect {
        _ = try CoreConfiguration(yaml: yaml)
      } throws: { error in
        (error as? ConfigurationError)?.key == key
      }
    }
  }

  @Test("a store that holds logins is not changed silently")
  func rememberedStore() async throws {
    let folder = try TemporaryDirectory()
    let directories = Directories(environment: ["HOME": folder.path])
    let key = try folder.write("a passphrase of some length", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    var configuration = CoreConfiguration()
    configuration.secretStore = .encryptedFile(keyFile: key, path: nil)
    let core = try ApplicationCore(configuration: configuration, directories: directories)
    try await core.secretStore.store(
      Secret("x"), for: SecretKey(service: "s", account: "a"), label: "")
    try await core.close()
    let other = try ApplicationCore(configuration: CoreConfiguration(), directories: directories)
    await #expect {
      try await other.secretStore.unlock()
    } throws: {
      $0 as? SecretStoreError
        == .elsewhere(
          store: "the encrypted file \(directories.data)/logins.encrypted", chosen: "the keyring",
          record: directories.state + "/secret-store")
    }
    try await other.close()
  }
}
