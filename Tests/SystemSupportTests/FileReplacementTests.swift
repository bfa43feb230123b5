import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

/// The destination that a path leads to, in a folder that strangers can write to as well.
@Suite(.timeLimit(.minutes(1))) struct FileReplacementTests {
  /// A folder like `/tmp`, beside a folder of the user's own with a file.
  private struct Scene {
    let folder: TemporaryDirectory
    let shared: String
    let own: String

    init() throws {
      folder = try TemporaryDirectory()
      shared = folder.file("shared")
      own = try folder.write("mine", to: "own")
      try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
      #expect(chmod(shared, 0o1777) == 0)
    }

    func link(_ name: String, to target: String, owner: uid_t? = nil) throws -> String {
      let path = shared + "/" + name
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      if let owner { #expect(lchown(path, owner, owner) == 0) }
      return path
    }

    var content: String {
      get throws { try String(contentsOfFile: own, encoding: .utf8) }
    }
  }

  private func write(_ text: String, to path: String) throws {
    let file = try FileReplacement(path, mode: 0o600)
    try file.write(text)
    try file.finish()
  }

  // Edge case 61
  @Test(
    "a stranger's link or file in a shared folder is not written",
    .enabled(if: geteuid() == 0, "only root can make the file of another user"))
  func strangers() throws {
    let scene = try Scene()
    let stranger: uid_t = 12_345
    let link = try scene.link("link", to: scene.own, owner: stranger)
    let through = try scene.link("folder", to: scene.folder.path, owner: stranger) + "/own"
    let indirect = try scene.link("mine", to: link)
    let file = scene.shared + "/file"
    try Data("theirs".utf8).write(to: URL(filePath: file))
    #expect(chown(file, stranger, stranger) == 0)
    let pipe = scene.shared + "/pipe"
    #expect(mkfifo(pipe, 0o666) == 0 && chown(pipe, stranger, stranger) == 0)
    for path in [link, through, indirect, file, pipe] {
      #expect(throws: StrangersFile.self) { try write("data", to: path) }
    }
    #expect(try scene.content == "mine")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "theirs")
    // Nobody else can write to this folder, whoever owns the link.
    #expect(chmod(scene.shared, 0o755) == 0)
    try write("data", to: link)
    #expect(try scene.content == "data")
  }

  @Test("a path without links is kept as it is written")
  func noLinks() throws {
    let scene = try Scene()
    for name in ["own", "/own", "./own", "shared/../own", "new", "/new", "no//new"] {
      let path = scene.folder.file(name)
      #expect(try FileReplacement.resolved(path) == path)
    }
  }

  @Test("the user's own links are followed, also to a file that does not exist yet")
  func ownLinks() throws {
    let scene = try Scene()
    let link = try scene.link("link", to: "../own")
    try write("new", to: link)
    #expect(try scene.content == "new")
    let target = scene.folder.file("absent")
    try write("first", to: try scene.link("dangling", to: target))
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "first")
    let folder = try scene.link("up", to: scene.folder.path)
    let own = scene.own.replacing("//", with: "/")
    #expect(try FileReplacement.resolved(folder + "/./shared/../own") == own)
    let circle = try scene.link("circle", to: "circle")
    #expect(throws: POSIXError.self) { try write("", to: circle) }
    let kinds = try ["link", "dangling", "up"].map {
      try FileManager.default.attributesOfItem(atPath: scene.shared + "/" + $0)[.type]
        as? FileAttributeType
    }
    #expect(kinds.allSatisfy { $0 == .typeSymbolicLink })
  }
}
