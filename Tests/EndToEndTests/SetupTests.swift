import Foundation
import TestSupport
import Testing

/// The first run of the real program, in a home without anything.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SetupTests {
  @Test("a setup against the sandbox needs no account, no keyring and no browser")
  func sandbox() async throws {
    let home = try TemporaryDirectory()
    let environment = ["HOME": home.path, "TMPDIR": home.path, "PATH": "/usr/bin:/bin"]
    let setup = try await ChildProcess(
      try ChildProcess.built("appcore"), ["setup", "--sandbox", "--no-input"],
      environment: environment
    ).ending()
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
    // The sandbox has ended with the setup.
    let sync = try await ChildProcess(
      folder + "/appcore", ["sync", "invoices"], environment: environment
    ).ending()
    #expect(sync.status == 69, "\(sync.errors)")
    for (file, mode) in [("", 0o700), ("/config/appcore/config.yaml", 0o600), ("/key", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + file)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(file)")
    }
  }
}
