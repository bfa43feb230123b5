import Foundation
import Sandbox
import TestSupport
import Testing

/// Logins in an encrypted file, with the real program.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct DamagedStoreTests {
  private let fixture: ProgramFixture
  private let folder: TemporaryDirectory
  private let environment: [String: String]
  private var store: String { fixture.keyring.home.file("data") + "/appcore/logins.encrypted" }

  init() async throws {
    let folder = try TemporaryDirectory()
    let fixture = try await ProgramFixture(
      withKeyring: false,
      configuration: "secretStore: { kind: encrypted-file, keyFile: \(folder.file("key")) }"
    ) { $0.source = .generated(invoices: 3, seed: 1) }
    _ = try folder.write("a passphrase of some length", to: "key")
    var environment = fixture.environment
    environment["APPCORE_CLIENT_ID"] = fixture.server.machineClientID
    environment["APPCORE_CLIENT_SECRET_FILE"] = try folder.write(
      fixture.server.machineClientSecret, to: "client secret")
    (self.folder, self.fixture, self.environment) = (folder, fixture, environment)
  }

  private func run(_ arguments: String...) async throws -> ChildProcess.Ending {
    try await ChildProcess(
      try ChildProcess.built("appcore"), arguments, environment: environment
    ).ending()
  }

  private func login() async throws -> ChildProcess.Ending {
    try await run("login", "--client-credentials", "--no-input")
  }

  private var asides: [String] {
    let folder = fixture.keyring.home.file("data") + "/appcore"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.contains(".damaged-") }
  }

  private func damage() throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: store))
    try handle.seek(toOffset: 60)
    try handle.write(contentsOf: Data("damage".utf8))
    try handle.close()
  }

  // Edge case 20
  @Test("a damaged file of logins is named, replaced by a login with a warning, and kept")
  func damagedThenLogin() async throws {
    #expect(try await login().status == 0)
    try damage()
    let sync = try await run("sync", "invoices", "--json")
    #expect(sync.status == 77, "\(sync.errors)")
    #expect(sync.errors.contains("secret-store-damaged") && sync.errors.contains(store))
    #expect(!sync.errors.contains("keyFile"))
    #expect(try await run("doctor").output.contains("\(store) is damaged"))
    let login = try await login()
    #expect(login.status == 0, "\(login.errors)")
    let aside = try #require(asides.first)
    #expect(login.errors.contains(aside), "\(login.errors)")
    #expect(try await run("sync", "invoices").status == 0)
    #expect(asides.count == 1)
  }

  @Test("a damaged file of logins does not prevent a sign-out")
  func damagedThenLogout() async throws {
    #expect(try await login().status == 0)
    try damage()
    let logout = try await run("logout", "--all")
    #expect(logout.status == 0, "\(logout.errors)")
    #expect(asides.count == 1)
    #expect(try await run("status").output.contains("signed-out"))
  }

  @Test("a wrong key is reported, and login and logout leave the file alone")
  func otherKey() async throws {
    #expect(try await login().status == 0)
    let sound = FileManager.default.contents(atPath: store)
    _ = try folder.write("another passphrase altogether", to: "key")
    for arguments in [
      ["login", "--client-credentials", "--no-input"], ["logout"], ["sync", "all"],
    ] {
      let ending = try await ChildProcess(
        try ChildProcess.built("appcore"), arguments, environment: environment
      ).ending()
      #expect(ending.status == 78, "\(ending.errors)")
      #expect(ending.errors.contains("cannot decrypt the login file \(store)"), "\(ending.errors)")
    }
    #expect(FileManager.default.contents(atPath: store) == sound && asides.isEmpty)
  }

  @Test("a key or a client secret that others can read is refused, with the chmod to paste")
  func exposed() async throws {
    for name in ["key", "client secret"] {
      let path = folder.file(name)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      let ending = try await login()
      #expect(ending.status == 78, "\(ending.errors)")
      let word = name == "key" ? path : "'\(path)'"
      #expect(ending.errors.contains("chmod 600 \(word)"), "\(ending.errors)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    #expect(try await login().status == 0)
  }
}
