import Foundation
import Sandbox
import TestSupport
import Testing

/// The real program with a keyring whose default changes, and with a store that fails while a login
/// is renewed.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .cleansUp,
  .enabled(if: FakeKeyring.isAvailable, "python3-dbus is not installed"))
struct KeyringChangeTests {
  // Edge case 37
  @Test("a login goes on when another keyring becomes the default, and several logins are replaced")
  func otherDefault() async throws {
    let keyring = try await FakeKeyring.start()
    let fixture = try await ProgramFixture(keyring: keyring) { $0.tokenLifetime = .seconds(1) }
      .expired()
    try await keyring.command("other-default")
    #expect(try await fixture.run("sync", "invoices").status == 0)
    #expect(await fixture.refreshes() == 1)
    #expect(try await fixture.run("status", "--json").output.contains(#""login":"valid""#))

    // As an earlier version left them.
    try await keyring.command("duplicate")
    let sync = try await fixture.run("sync", "invoices")
    #expect(sync.status == 75 && sync.errors.contains("appcore login"), "\(sync.errors)")
    let login = try await fixture.run("login")
    #expect(login.status == 0, "\(login.errors)")
    #expect(try await fixture.run("sync", "invoices").status == 0)

    for arguments in [["logout"], ["logout", "--all"]] {
      try await keyring.command("duplicate")
      let logout = try await fixture.start(arguments).ending()
      #expect(logout.status == 0, "\(logout.errors)")
      #expect(try await fixture.run("status", "--json").output.contains(#""login":"signed-out""#))
      #expect(try await fixture.run("login").status == 0)
    }
  }

  // Edge case 37
  @Test("a locked keyring that is not the default one is named, and a login unlocks it")
  func lockedElsewhere() async throws {
    let keyring = try await FakeKeyring.start()
    let fixture = try await ProgramFixture(keyring: keyring).signedIn()
    try await keyring.command("other-default")
    try await keyring.command("locked-others")
    for arguments in [["sync", "invoices"], ["logout"], ["logout", "--all"]] {
      let ending = try await fixture.start(arguments).ending()
      #expect(ending.status == 75 && ending.errors.contains("'Login'"), "\(ending.errors)")
    }
    try await keyring.command("prompt accepts")
    #expect(try await fixture.run("login").status == 0)
    #expect(try await fixture.run("sync", "invoices").status == 0)
    #expect(try await fixture.run("logout").status == 0)
  }

  // Edge case 17
  @Test("a login whose renewal a failing keyring does not take is stored by the next command")
  func keptSealed() async throws {
    let keyring = try await FakeKeyring.start()
    let fixture = try await ProgramFixture(keyring: keyring) { $0.tokenLifetime = .seconds(1) }
      .expired()
    try await keyring.command("fail-writes-after 1")
    let ending = try await fixture.run("sync", "invoices")
    #expect(ending.status == 75 && ending.errors.contains("Nothing is lost"), "\(ending.errors)")
    #expect(try await fixture.stored().count == 3)
    try await keyring.command("writable")
    #expect(try await fixture.run("sync", "invoices").status == 0)
    #expect(await fixture.refreshes() == 1)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: keyring.home.file("state") + "/appcore")
    #expect(!files.contains { $0.hasSuffix(".sealed") })
  }
}
