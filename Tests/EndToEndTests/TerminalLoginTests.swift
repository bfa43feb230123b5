import Foundation
import HTTPTypes
import Networking
import Sandbox
import TestSupport
import Testing

/// Signing in at a real terminal, with the real program.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .cleansUp,
  .enabled(
    if: PrivateKeyring.isAvailable && ScreenProgram.isAvailable,
    "dbus, gnome-keyring or script is not installed"))
struct TerminalLoginTests {
  /// Approves at the sandbox and returns the address on which the browser ends.
  private func redirect(of url: String) async throws -> String {
    var configuration = SessionConfiguration()
    configuration.redirects = .none
    configuration.proxy = .none
    let session = Session(name: "browser", configuration: configuration)
    let answer = try await session.send(try Request(url: try #require(URL(string: url))))
    await session.shutdown()
    return try #require(answer.head.headerFields[.location])
  }

  // Edge case 40
  @Test("a login over SSH takes a pasted address and a chosen organisation, and replaces no login")
  func paste() async throws {
    let fixture = try await ProgramFixture {
      $0.autoApprove = true
      $0.tenants = 2
    }
    let environment = fixture.environment.merging([
      "SSH_CONNECTION": "192.0.2.7 50000 192.0.2.1 22", "USER": "me",
    ]) { $1 }
    let login = try ScreenProgram(["login"], environment: environment)
    try await login.awaitText("Or paste the address that the browser ended on: ")
    let shown = try #require(login.screen.firstMatch(of: #/visit:\n(\S+)\n/#), "\(login.screen)")
    #expect(login.screen.contains(#/ssh -L (\d+):127.0.0.1:\1 me@192.0.2.1/#), "\(login.screen)")
    try await login.answer("Or paste the address that the browser ended on: ", "nonsense")
    try await login.awaitText("This is not the address")
    try await login.answer(
      "This is not the address", try await redirect(of: String(shown.output.1)))
    try await login.answer("Which one, by number or name? (Enter: none yet) ", "Sandbox Company 2")
    let ending = await login.ending()
    #expect(ending.status == 0, "\(ending.screen)")
    #expect(
      ending.screen.contains("Signed in as Sandbox Company 2 at Xero (account 'default')."),
      "\(ending.screen)")
    #expect(try await fixture.run("sync", "invoices").status == 0)

    let again = try ScreenProgram(["login"], environment: environment)
    try await again.answer(
      "'default' is already signed in as Sandbox Company 2; replace this login? [y/N] ", "n")
    let kept = await again.ending()
    #expect(kept.status == 0 && kept.screen.contains("Kept the login"), "\(kept.screen)")
  }

  @Test("where the browser cannot be opened, the address on which another one ends can be pasted")
  func failingBrowser() async throws {
    let fixture = try await ProgramFixture { $0.autoApprove = true }
    let folder = try TemporaryDirectory()
    let opener = try folder.write("#!/bin/sh\nexit 3\n", to: "xdg-open")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
    let environment = fixture.environment.merging(["PATH": folder.path + ":/usr/bin:/bin"]) { $1 }
    let login = try ScreenProgram(["login"], environment: environment)
    try await login.awaitText("Or paste the address that the browser ended on: ")
    #expect(login.screen.contains("The browser could not be opened"), "\(login.screen)")
    let shown = try #require(login.screen.firstMatch(of: #/visit:\n(\S+)\n/#), "\(login.screen)")
    try await login.answer(
      "Or paste the address that the browser ended on: ",
      try await redirect(of: String(shown.output.1)))
    let ending = await login.ending()
    #expect(ending.status == 0, "\(ending.screen)")
    #expect(ending.screen.contains("Signed in as Sandbox Company"), "\(ending.screen)")
  }

  @Test("what follows a sign-in whose address nobody pasted begins on a line of its own")
  func elsewhere() async throws {
    let fixture = try await ProgramFixture { $0.autoApprove = true }
    let login = try ScreenProgram(["login", "--no-browser"], environment: fixture.environment)
    try await login.awaitText("Or paste the address that the browser ended on: ")
    let shown = try #require(login.screen.firstMatch(of: #/visit:\n(\S+)\n/#), "\(login.screen)")
    // A browser of this machine ends at the program itself.
    let session = Session(name: "browser", configuration: SessionConfiguration())
    let address = try await redirect(of: String(shown.output.1))
    _ = try await session.send(try Request(url: try #require(URL(string: address))))
    await session.shutdown()
    let ending = await login.ending()
    #expect(ending.status == 0, "\(ending.screen)")
    #expect(
      ending.screen.contains("Or paste the address that the browser ended on: \nSigned in"),
      "\(ending.screen)")
  }

  @Test("a token that is typed at a terminal is not shown")
  func unseen() async throws {
    let fixture = try await ProgramFixture()
    let login = try ScreenProgram(["login", "--token-stdin"], environment: fixture.environment)
    try await login.answer("Access token (not shown): ", "sk_live_1")
    let ending = await login.ending()
    #expect(ending.status == 0, "\(ending.screen)")
    #expect(ending.screen.contains("Signed in as Sandbox Company at Xero"), "\(ending.screen)")
    #expect(!ending.screen.contains("sk_live_1"))
  }

  @Test("a sign-in without an answer ends with the things to check")
  func timeout() async throws {
    let fixture = try await ProgramFixture()
    let ending = try await fixture.run("login", "--no-browser", "--timeout", "1s")
    #expect(ending.status == 77)
    #expect(ending.errors.contains("Waiting up to 1 s (Ctrl-C cancels)"), "\(ending.errors)")
    #expect(ending.errors.contains("no answer came back"))
    #expect(ending.errors.contains("accounts.default.clientID is right"))
  }

  @Test("Ctrl-C ends a sign-in and says so, and an earlier login is kept")
  func cancelled() async throws {
    let fixture = try await ProgramFixture()
    let arguments = ["login", "--no-browser", "--replace"]
    for hint in ["Sign in with: appcore login --account default", "The earlier login is kept."] {
      let login = try ScreenProgram(arguments, environment: fixture.environment)
      // The terminal turns the character into SIGINT.
      try await login.answer("Or paste the address that the browser ended on: ", "\u{3}")
      let ending = await login.ending()
      #expect(ending.status == 130, "\(ending.screen)")
      #expect(ending.screen.contains("appcore: sign-in cancelled\n  \(hint)"), "\(ending.screen)")
      if hint.hasPrefix("Sign") { #expect(try await fixture.run("login").status == 0) }
    }
    #expect(try await fixture.run("status").output.contains("login      valid"))
  }

  @Test("status without a keyring says that the login cannot be read, and claims no renewal")
  func noKeyring() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    let text = try await fixture.run("status").output
    #expect(text.contains("login      unknown; see logins below"), "\(text)")
    #expect(!text.contains("tokens") && text.contains("logins       not available: "), "\(text)")
  }
}
