import Foundation
import TestSupport
import Testing

@testable import Reports

/// A report replaces a whole file or nothing.
@Suite(.timeLimit(.minutes(1))) struct ReportFileTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("a new file is its owner's alone, and an existing one keeps its mode")
  func modes() async throws {
    let folder = try TemporaryDirectory()
    let file = ReportFile(path: folder.file("r.html"))
    try await file.write("one")
    #expect(try mode(file.path) == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try await file.write("two")
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "two")
    #expect(try mode(file.path) == 0o644)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["r.html"])
  }

  @Test("a link is followed, and a target that is no regular file is written to, not replaced")
  func linksAndDevices() async throws {
    let folder = try TemporaryDirectory()
    let target = try folder.write("old", to: "target")
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    try await ReportFile(path: link).write("new")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    // Were the device replaced, its folder would not take the temporary file, or lose the device.
    let device = folder.file("null")
    try FileManager.default.createSymbolicLink(atPath: device, withDestinationPath: "/dev/null")
    try await ReportFile(path: device).write("nothing")
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(type as? FileAttributeType == .typeCharacterSpecial)
    await #expect(throws: ReportError.self) { try await ReportFile(path: "/dev/full").write("x") }
  }

  @Test("the file of an account is named after it, in a folder that is made for its owner")
  func folder() async throws {
    let folder = try TemporaryDirectory()
    let file = ReportFile(account: "acme-ltd.2", in: folder.file("a/b"))
    try await file.write("page")
    #expect(
      try String(contentsOfFile: folder.file("a/b/acme-ltd.2.html"), encoding: .utf8) == "page")
    #expect(try mode(folder.file("a/b")) == 0o700)
    #expect(ReportFile(account: "../x/é", in: "/d").path == "/d/..%2Fx%2F%C3%A9.html")
    _ = try folder.write("", to: "file")
    let error = await #expect(throws: ReportError.self) {
      try await ReportFile(account: "a", in: folder.file("file")).write("x")
    }
    #expect(error?.description.hasSuffix("a.html cannot be written: Not a directory") == true)
  }

  @Test("an error leaves the old file and no other")
  func failure() async throws {
    let folder = try TemporaryDirectory()
    let error = await #expect(throws: ReportError.self) {
      try await ReportFile(path: folder.file("no/r.html")).write("x")
    }
    #expect(
      error?.description
        == "\(folder.file("no/r.html")) cannot be written: No such file or directory")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let full = await #expect(throws: ReportError.self) {
      try await ReportFile(path: "/dev/full").write("x")
    }
    #expect(full?.description == "there is no room left for /dev/full")
  }
}
