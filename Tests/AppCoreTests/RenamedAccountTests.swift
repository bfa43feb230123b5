import Authentication
import Foundation
import Models
import SecureStore
import Storage
import Sync
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import AppCore

/// An account gets another name, and keeps its login, its records and its runs.
@Suite(.timeLimit(.minutes(10))) struct RenamedAccountTests {
  private let folder: TemporaryDirectory
  private let store = FailingStore()
  private var config: String { folder.file("config/appcore/config.yaml") }
  private var accounts: String { folder.file("config/appcore/accounts.d") }

  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: accounts, withIntermediateDirectories: true)
    try write("defaultAccount: first\naccounts: { first: { provider: acme } }\n" + Self.provider)
    _ = try folder.write(
      "# Account 'old' of appcore.\n# To remove the account: appcore organisations remove old\n"
        + "provider: acme\n", to: "config/appcore/accounts.d/old.yaml")
  }

  private static let provider = """
    providers:
      acme:
        kind: rest
        baseURL: http://127.0.0.1:1
        resources:
          invoices:
            path: /invoices
            rows: .
            fields: { id: id, type: { value: invoice }, status: state, currency: currency, total: total }
    """

  private func write(_ yaml: String) throws {
    _ = try folder.write(yaml, to: "config/appcore/config.yaml")
  }

  /// Runs `body` with a core of the configuration as it is on the disk now.
  private func withCore<Value>(
    _ body: (ApplicationCore) async throws -> Value
  ) async throws -> Value {
    let loader = ConfigurationLoader(environment: ["HOME": folder.path])
    let core = try ApplicationCore(
      configuration: loader.load(path: config), secretStore: store,
      directories: Directories(below: folder.path))
    let result: Result<Value, any Error>
    do { result = .success(try await body(core)) } catch { result = .failure(error) }
    try await core.close()
    return try result.get()
  }

  private func fill() async throws {
    try await withCore { core in
      let tokens = try #require(TokenSet(pasted: "token"))
      _ = try await core.authenticator.setTokens(tokens, for: "old")
      let database = try await core.database()
      let store = database.contactStore
      let now = Timestamp(Date())
      let run = try await store.beginRun(
        RunStart(
          account: "old", provider: "acme", kind: .full, startedAt: now, watermarkBefore: nil))
      var page = PendingPage(source: "acme", instant: now)
      page.records = store.encode([Contact(id: "c", status: .active, rawStatus: "ACTIVE")])
      _ = try await run.commit([page])
      try await run.end(RunEnd(result: .complete, watermark: nil, requests: 1, endedAt: now))
      try await database.setOrganisation(
        NamedOrganisation(id: "1", name: "Acme Ltd"), account: "old")
    }
  }

  private func checkRenamed() async throws {
    try await withCore { core in
      #expect(core.configuration.accounts.keys.sorted() == ["first", "new"])
      #expect(try await core.authenticator.status(of: "new").state == .valid)
      let database = try await core.database()
      #expect(try await database.accountsWithRecords() == ["new"])
      #expect(try await database.lastRun(account: "new", resource: .contacts) != nil)
      #expect(await core.organisationNames().title(of: "new") == "new (Acme Ltd)")
    }
    #expect(store.accounts == ["new"])
    let text = try String(contentsOfFile: accounts + "/new.yaml", encoding: .utf8)
    #expect(text.contains("Account 'new'") && text.contains("remove new"), "\(text)")
    #expect(!FileManager.default.fileExists(atPath: accounts + "/old.yaml"))
  }

  @Test("login, records, runs and the file get the new name")
  func renamed() async throws {
    try await fill()
    let outcome = try await withCore { try await $0.renameAccount("old", to: "new") }
    #expect(outcome.hasMovedLogin && outcome.hasMovedRecords)
    try await checkRenamed()
  }

  @Test("a rename that fails at any write of the login is finished by running it again")
  func again() async throws {
    for failing in [FailingStore.Step.store, .remove] {
      let tests = try Self()
      try await tests.fill()
      tests.store.fail(at: failing)
      await #expect(throws: AuthenticationError.self) {
        try await tests.withCore { try await $0.renameAccount("old", to: "new") }
      }
      #expect(!tests.store.accounts.isEmpty, "the login is there under one name at least")
      // Until then no sync of the new name can fetch everything again.
      if failing == .store {
        try await tests.withCore { (core) async throws -> Void in
          #expect(try await core.authenticator.status(of: "new").state == .signedOut)
        }
      }
      tests.store.fail(at: nil)
      _ = try await tests.withCore { try await $0.renameAccount("old", to: "new") }
      try await tests.checkRenamed()
    }
  }

  @Test("a process that died after the file was renamed leaves the rest to the next rename")
  func died() async throws {
    try await fill()
    try FileManager.default.moveItem(
      atPath: accounts + "/old.yaml", toPath: accounts + "/new.yaml")
    _ = try await withCore { try await $0.renameAccount("old", to: "new") }
    try await withCore { (core) async throws -> Void in
      #expect(try await core.authenticator.status(of: "new").state == .valid)
      #expect(try await core.database().accountsWithRecords() == ["new"])
    }
  }

  @Test("a sync of the account makes the rename wait, and nothing has changed meanwhile")
  func syncing() async throws {
    try await fill()
    try await withCore { core in
      let database = try await core.database()
      let path = ResourceSync.lockPath(of: .invoices, account: "old", in: database)
      try await FileLock.withLock(at: path, timeout: .seconds(10)) { () async throws -> Void in
        _ = await #expect(throws: SyncError.self) {
          try await core.renameAccount("old", to: "new", patience: .milliseconds(10))
        }
      }
      #expect(FileManager.default.fileExists(atPath: accounts + "/old.yaml"))
      #expect(store.accounts == ["old"])
    }
  }

  @Test("what the user's own file says is left to the user, with the keys to change")
  func ownFile() async throws {
    try await fill()
    let error = await #expect(throws: ConfigurationError.self) {
      try await withCore { try await $0.renameAccount("first", to: "new") }
    }
    let fix = try #require(error?.fix)
    #expect(fix.contains("accounts.first, defaultAccount"), "\(fix)")
    #expect(fix.contains("appcore organisations rename first new"), "\(fix)")
    try write("defaultAccount: old\naccounts: { first: { provider: acme } }\n" + Self.provider)
    await #expect(throws: ConfigurationError.self) {
      try await withCore { try await $0.renameAccount("old", to: "new") }
    }
    #expect(FileManager.default.fileExists(atPath: accounts + "/old.yaml"))
  }

  @Test("a name that is taken, or is none, is refused")
  func taken() async throws {
    try await fill()
    for name in ["first", "a b"] {
      await #expect(throws: ConfigurationError.self) {
        try await withCore { try await $0.renameAccount("old", to: name) }
      }
    }
    await #expect {
      try await withCore { try await $0.renameAccount("gone", to: "first") }
    } throws: {
      if case AuthenticationError.unknownAccount("gone") = $0 { true } else { false }
    }
  }
}

/// A store in memory of which a step can fail.
private final class FailingStore: SecretStore {
  enum Step { case store, remove }

  private let secrets = InMemorySecretStore()
  private let failing = Mutex<Step?>(nil)
  private let names = Mutex<Set<String>>([])

  /// The accounts that have a login, by name.
  var accounts: [String] { names.withLock { $0.sorted() } }
  var identity: String { secrets.identity }

  func fail(at step: Step?) { failing.withLock { $0 = step } }

  func secret(for key: SecretKey) async throws -> Secret? { try await secrets.secret(for: key) }

  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try check(.store)
    try await secrets.store(secret, for: key, label: label)
    names.withLock { _ = $0.insert(key.account) }
  }

  func removeSecret(for key: SecretKey) async throws -> Bool {
    try check(.remove)
    names.withLock { _ = $0.remove(key.account) }
    return try await secrets.removeSecret(for: key)
  }

  func unlock() async throws {}

  func checkAvailability() async throws -> SecretStoreDescription {
    try await secrets.checkAvailability()
  }

  private func check(_ step: Step) throws {
    if failing.withLock({ $0 }) == step { throw SecretStoreError.timedOut(operation: "test") }
  }
}
