import Foundation
import TestSupport
import Testing

/// The C library in the place where `Config/scripts/install` puts it, used as the guide to C says.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct InstalledLibraryTests {
  private let home: TemporaryDirectory
  private let environment: [String: String]
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    home = try TemporaryDirectory()
    environment = [
      "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
  }

  private func script(_ name: String, _ arguments: String...) async throws -> ChildProcess.Ending {
    try await ChildProcess(
      root.appending(path: "Config/scripts/\(name)").path(percentEncoded: false), arguments,
      environment: environment
    ).ending()
  }

  /// Runs commands in the home, until one fails.
  private func shell(_ commands: String) async throws -> ChildProcess.Ending {
    try await ChildProcess(
      "/bin/sh", ["-e", "-c", "cd\n" + commands], environment: environment
    ).ending()
  }

  /// The only block of a language in the guide.
  private func block(_ language: String) throws -> String {
    let guide = try String(
      contentsOf: root.appending(path: "Modules/AppCore/AppCore.docc/UseItFromC.md"),
      encoding: .utf8)
    let parts = guide.split(separator: "```\(language)\n")
    try #require(parts.count == 2)
    return String(try #require(parts[1].split(separator: "```\n").first))
  }

  @Test(
    "the guide's commands build its program against an installed library, and run it",
    .enabled(
      if: ChildProcess.find("cc") != nil && ChildProcess.find("pkg-config") != nil,
      "this needs cc and pkg-config"))
  func guide() async throws {
    // The debug build: that of a release takes minutes, and `install` places either alike.
    let installed = try await script(
      "install", "--binary", try ChildProcess.built("appcore"),
      "--library", try ChildProcess.built("libappcore-c.so"))
    #expect(installed.status == 0, "\(installed.errors)")
    #expect(
      installed.output.contains("PKG_CONFIG_PATH=\(home.path)/.local/lib/pkgconfig"),
      "\(installed.output)")

    let key = try home.write("a passphrase of several words", to: "key")
    try FileManager.default.createDirectory(
      atPath: home.file(".config/appcore"), withIntermediateDirectories: true)
    _ = try home.write(
      """
      accounts: { default: { clientID: c } }
      secretStore: { kind: encrypted-file, keyFile: "\(key)" }
      """, to: ".config/appcore/config.yaml")
    _ = try home.write(try block("c"), to: "invoices.c")

    // Without a login it gets as far as the refusal of the sync, and then lists what is stored.
    let run = try await shell(try block("sh"))
    #expect(run.status == 77, "\(run)")
    #expect(run.errors == "account 'default' is not signed in\n", "\(run)")
    #expect(run.output == #"{"invoices":[],"schemaVersion":1,"next":null}"# + "\n", "\(run)")

    let version = try await shell(
      "PKG_CONFIG_PATH=.local/lib/pkgconfig pkg-config --modversion appcore")
    let program = try await shell(".local/bin/appcore --version")
    #expect(
      program.output.hasPrefix("appcore " + version.output.trimmingCharacters(in: .newlines)),
      "\(version) \(program)")

    #expect(try await script("uninstall").status == 0)
    for file in ["include", "lib"] {
      #expect(!FileManager.default.fileExists(atPath: home.file(".local/" + file)), "\(file)")
    }
    // The loader no longer finds the library.
    #expect(try await shell("./invoices").status == 127)
  }
}
