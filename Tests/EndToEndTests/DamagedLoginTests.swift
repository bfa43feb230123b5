import Foundation
import Sandbox
import TestSupport
import Testing

/// Logins in a real keyring, and locks in a real folder, that the program cannot use.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct DamagedLoginTests {
  private static let attributes = [
    "xdg:schema", "org.appcore.Login", "appcore:service", "appcore", "appcore:account", "default",
  ]

  /// The record in the keyring, by a program that is not ours.
  private func record(_ fixture: ProgramFixture) async throws -> String {
    let tool = try #require(ChildProcess.find("secret-tool"))
    return try await ChildProcess(
      tool, ["lookup"] + Self.attributes, environment: fixture.keyring.environment
    ).ending().output
  }

  private func replaceRecord(_ fixture: ProgramFixture, by text: String) async throws {
    let tool = try #require(ChildProcess.find("secret-tool"))
    let store = try ChildProcess(
      tool, ["store", "--label=appcore"] + Self.attributes,
      environment: fixture.keyring.environment, input: .holding(text))
    #expect(await store.ending().status == 0)
    #expect(try await record(fixture) == text)
  }

  // Edge case 20
  @Test(
    "a damaged or newer login in the keyring is 77 and stays until a sign-in replaces it",
    arguments: ["truncated", "overwritten", "newer", "date out of range", "empty object"])
  func damaged(how: String) async throws {
    let fixture = try await ProgramFixture().signedIn()
    let sound = try await record(fixture)
    #expect(sound.contains(#""version":1"#))
    let damaged =
      switch how {
      case "truncated": String(sound.prefix(sound.count * 2 / 3))
      case "overwritten": sound.replacing(#"":"#, with: "  ")
      case "newer": sound.replacing(#""version":1"#, with: #""version":2"#)
      case "date out of range":
        sound.replacing(#/"expiresAt":[0-9.]+/#, with: #""expiresAt":1e300"#)
      default: "{}"
      }
    try #require(damaged != sound)
    try await replaceRecord(fixture, by: damaged)
    let requests = await fixture.server.statistics().requests
    for arguments in ["invoices", "contacts", "all"] {
      let ending = try await fixture.run("sync", arguments, "--json")
      #expect(ending.status == 77, "\(arguments): \(ending.status) \(ending.errors)")
      #expect(ending.errors.contains("damaged") && ending.errors.contains("appcore login"))
    }
    let status = try await fixture.run("status", "--json")
    #expect(status.status == 1 && status.output.contains(#"unknown"#), "\(status.output)")
    #expect(try await record(fixture) == damaged)
    #expect(await fixture.server.statistics().requests == requests)
    let login = try await fixture.run("login")
    #expect(login.status == 0, "\(login.errors)")
    #expect(try await fixture.run("sync", "invoices").status == 0)
  }

  // Edge case 20
  @Test("a damaged login can be signed out")
  func signOut() async throws {
    let fixture = try await ProgramFixture().signedIn()
    try await replaceRecord(fixture, by: "{\"version\":1,")
    let logout = try await fixture.run("logout")
    #expect(logout.status == 0 && logout.output.contains("did not confirm"), "\(logout.errors)")
    #expect(try await record(fixture).isEmpty)
    #expect(try await fixture.run("status").output.contains("signed-out"))
  }

  /// Returns a command that runs another one with a folder that even root cannot write to.
  private func readOnly(_ folder: String, _ command: [String]) throws -> [String] {
    guard geteuid() == 0 else {
      return [
        try #require(ChildProcess.find("sh")), "-c",
        "folder=$1; shift; chmod -R a-w \"$folder\"; \"$@\"; status=$?; "
          + "chmod -R u+w \"$folder\"; exit $status",
        "sh", folder,
      ] + command
    }
    // Nothing is forbidden to root: its folder is mounted so, for this command alone.
    return [
      try #require(ChildProcess.find("unshare")), "--mount", "sh", "-c",
      "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && shift && exec \"$@\"", "sh",
      folder,
    ] + command
  }

  // Edge case 27
  @Test(
    "a read-only state folder allows a valid token, and a renewal spends nothing",
    .enabled("a folder cannot be made read-only here") {
      guard geteuid() == 0 else { return true }
      guard let program = ChildProcess.find("unshare") else { return false }
      let probe = try ChildProcess(
        program, ["--mount", "true"], environment: ChildProcess.sanitizerEnvironment)
      return await probe.ending().status == 0
    })
  func readOnlyState() async throws {
    let fixture = try await ProgramFixture { $0.tokenLifetime = .seconds(1) }.expired()
    let tokens = try await fixture.tokens()
    let program = try ChildProcess.built("appcore")
    func run(_ arguments: String...) async throws -> ChildProcess.Ending {
      let command = try readOnly(
        fixture.keyring.home.file("state"), [program] + arguments)
      return try await ChildProcess(
        command[0], Array(command.dropFirst()), environment: fixture.environment
      ).ending()
    }
    #expect(try await run("status").output.contains("expired"))
    let refused = try await run("sync", "invoices", "--json")
    #expect(refused.status == 75, "\(refused.errors) \(refused.output)")
    #expect(refused.errors.contains("lock-unavailable"), "\(refused.errors)")
    #expect(await fixture.refreshes() == 0)
    #expect(try await fixture.tokens() == tokens)

    // Renewed where it can be written, it serves where it cannot.
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let served = try await run("sync", "invoices", "--json")
    #expect(served.status == 0, "\(served.errors)")
    #expect(await fixture.refreshes() == 1)
  }
}
