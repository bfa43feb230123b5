import Foundation
import TestSupport
import Testing

/// The units in `Config/systemd`, as systemd reads them.
@Suite(
  .timeLimit(.minutes(10)), .cleansUp,
  .enabled(
    if: ChildProcess.find("systemd-analyze") != nil, "systemd-analyze is not installed"))
struct SystemdUnitTests {
  private static let units = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Config/systemd")

  /// Returns the complaints about our units: the machine may have units of its own with mistakes.
  private func complaints(about files: [String]) async throws -> [Substring] {
    let home = try TemporaryDirectory()
    let bin = home.file(".local/bin")
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: bin + "/appcore", withDestinationPath: try ChildProcess.built("appcore"))
    let ending = try await ChildProcess(
      try #require(ChildProcess.find("systemd-analyze")),
      // The manual pages may not be installed.
      ["--user", "--man=no", "verify"] + files,
      environment: [
        "HOME": home.path, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": home.path,
      ]
    ).ending()
    let found = (ending.output + ending.errors).split(separator: "\n").filter {
      $0.contains("appcore-")
    }
    // A mistake that systemd ignores does not change the status.
    #expect(ending.status == 0 || !found.isEmpty, "\(ending)")
    return found
  }

  @Test("systemd accepts every unit, with the program where an installation puts it")
  func units() async throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.units, includingPropertiesForKeys: nil
    ).map { $0.path(percentEncoded: false) }
    #expect(files.count == 3)
    #expect(try await complaints(about: files) == [])
  }

  @Test("every service has limits for its run and for its end")
  func limits() throws {
    for file in try FileManager.default.contentsOfDirectory(
      at: Self.units, includingPropertiesForKeys: nil
    ) where file.pathExtension == "service" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for key in ["TimeoutStartSec=", "TimeoutStopSec="] {
        #expect(text.contains("\n" + key), "\(key) in \(file.lastPathComponent)")
      }
    }
  }

  @Test("a key that systemd does not know is a complaint")
  func mistake() async throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      "[Service]\nType=oneshot\nTimeoutStopsSec=1\nExecStart=%h/.local/bin/appcore status\n",
      to: "appcore-wrong.service")
    let found = try await complaints(about: [file])
    #expect(found.contains { $0.contains("TimeoutStopsSec") }, "\(found)")
  }

  @Test("systemd accepts the drop-in of the guide that writes a journal after each sync")
  func journal() async throws {
    let guide = Self.units.appending(path: "../../Modules/AppCore/AppCore.docc")
    let text = try String(
      contentsOf: guide.appending(path: "PlainTextAccounting.md"), encoding: .utf8)
    let lines = try #require(text.firstMatch(of: #/```ini\n([^`]+)```/#)?.output.1)
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("appcore-sync.service.d"), withIntermediateDirectories: true)
    _ = try folder.write(String(lines), to: "appcore-sync.service.d/override.conf")
    let names = ["appcore-sync.service", "appcore-notify.service"]
    let files = try names.map { name in
      try folder.write(
        try String(contentsOf: Self.units.appending(path: name), encoding: .utf8), to: name)
    }
    #expect(try await complaints(about: files) == [])
    let wrong = String(lines).replacing("ExecStartPost", with: "ExecStartsPost")
    _ = try folder.write(wrong, to: "appcore-sync.service.d/override.conf")
    #expect(try await complaints(about: files).contains { $0.contains("ExecStartsPost") })
  }
}
