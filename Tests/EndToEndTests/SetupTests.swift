import Foundation
import TestSupport
import Testing

/// The first run of the real program, in a home without anything.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct SetupTests {
  /// Sets up a sandbox in a home without anything.
  private func setUp(
    _ option: String
  ) async throws -> (TemporaryDirectory, environment: [String: String], ChildProcess.Ending) {
    let home = try TemporaryDirectory()
    let environment = ["HOME": home.path, "TMPDIR": home.path, "PATH": "/usr/bin:/bin"]
    let setup = try await ChildProcess(
      try ChildProcess.built("appcore"), ["setup", "--sandbox", option], environment: environment
    ).ending()
    return (home, environment, setup)
  }

  @Test("a setup against the sandbox needs no account, no keyring and no browser")
  func sandbox() async throws {
    let (home, environment, setup) = try await setUp("--no-input")
    #expect(setup.status == 0, "\(setup.errors)")
    #expect(setup.output.contains("Signed in as Sandbox Company at Xero"), "\(setup.output)")
    let folder = try #require(
      setup.errors.firstMatch(of: #/Everything goes to (\S+);/#), "\(setup.errors)"
    ).output.1
    // The user's own folders stay as they were.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.path)
        == [URL(filePath: String(folder)).lastPathComponent])
    let list = try await ChildProcess(
      folder + "/appcore", ["invoices", "list", "--limit", "3", "--json"],
      environment: environment
    ).ending()
    #expect(list.status == 0 && list.output.contains("\"number\""), "\(list.errors)")
    // The sandbox has ended with the setup. The script starts it again, and the login still works.
    for (command, text) in [
      ("sync all", "Up to date (239 invoices excluding deleted)"),
      ("organisations list", "Sandbox Company"), ("organisations add --all", "already"),
      ("doctor", "ok   "),
    ] {
      let ending = try await ChildProcess(
        folder + "/appcore", command.split(separator: " ").map(String.init),
        environment: environment
      ).ending()
      #expect(ending.status == 0, "\(command): \(ending.output)\(ending.errors)")
      #expect(ending.output.contains(text), "\(command): \(ending.output)\(ending.errors)")
    }
    // No hint leads to the user's own configuration, whatever the environment says.
    let foreign = environment.merging(["APPCORE_CONFIG": "/nowhere"]) { $1 }
    _ = try await ChildProcess(folder + "/appcore", ["logout"], environment: foreign).ending()
    let refused = try await ChildProcess(
      folder + "/appcore", ["sync", "invoices"], environment: foreign
    ).ending()
    #expect(
      refused.errors.contains("\(folder)/appcore login --account default"), "\(refused.errors)")
    for (file, mode) in [("", 0o700), ("/config/appcore/config.yaml", 0o600), ("/key", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + file)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(file)")
    }
  }

  @Test("a sandbox that cannot start again is named as such, and its invoices can be read")
  func unstartable() async throws {
    // The folder of the home exists as long as the home does.
    let (home, environment, setup) = try await setUp("--quiet")
    defer { withExtendedLifetime(home) {} }
    let folder = try #require(setup.output.split(separator: "\n").first)
    // A server with a broken state does not start.
    let state = try String(contentsOfFile: folder + "/sandbox.json", encoding: .utf8)
    try state.replacing("\"grants\"", with: "\"none\"")
      .write(toFile: folder + "/sandbox.json", atomically: true, encoding: .utf8)
    let sync = try await ChildProcess(
      folder + "/appcore", ["sync", "invoices"], environment: environment
    ).ending()
    #expect(sync.status == 69, "\(sync.errors)")
    #expect(
      sync.errors.contains(
        "This sandbox does not start again. Its invoices can still be read: "
          + "\(folder)/appcore invoices list. Create a new one with: appcore setup --sandbox"),
      "\(sync.errors)")
  }

  @Test("a quiet setup prints the sandbox's folder")
  func quiet() async throws {
    let (home, _, setup) = try await setUp("--quiet")
    #expect(setup.status == 0 && setup.errors.isEmpty, "\(setup.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(setup.output.split(separator: "\n").first.map(String.init) == home.file(names[0]))
  }
}
