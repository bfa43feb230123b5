import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AtomicFileTests {
  @Test("a file is replaced as a whole, for its owner alone", arguments: [true, false])
  func replacement(isDurable: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("old", to: "file")
    let reader = try FileHandle(forReadingFrom: URL(filePath: path))
    // A crash left this one.
    _ = try folder.write("half of the", to: "file.new")
    try AtomicFile.replace(path, with: Data("new".utf8), isDurable: isDurable)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try reader.readToEnd() == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("concurrent writers without a lock leave one of their files, and no other")
  func unlocked() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("old", to: "file")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let texts = (0..<8).map { String(repeating: "\($0)", count: 1_000) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for text in texts {
        group.addTask { try AtomicFile.replaceUnlocked(path, with: Data(text.utf8)) }
      }
      try await group.waitForAll()
    }
    #expect(texts.contains(try String(contentsOfFile: path, encoding: .utf8)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(throws: POSIXError.self) {
      try AtomicFile.replaceUnlocked(folder.file("absent/file"), with: Data())
    }
  }

  @Test("a link stays, and its target is replaced; a stranger's link is replaced itself")
  func links() throws {
    let folder = try TemporaryDirectory()
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "./c")
    try files.createSymbolicLink(
      atPath: folder.file("a"), withDestinationPath: folder.file("b"))
    for text in ["created", "replaced"] {
      try AtomicFile.replace(folder.file("a"), with: Data(text.utf8), isDurable: true)
      #expect(try String(contentsOfFile: folder.file("c"), encoding: .utf8) == text)
      #expect(try files.destinationOfSymbolicLink(atPath: folder.file("a")) == folder.file("b"))
    }
    try AtomicFile.replace(
      folder.file("b"), with: Data(), isDurable: false, followsLinks: false)
    #expect(throws: CocoaError.self) {
      try files.destinationOfSymbolicLink(atPath: folder.file("b"))
    }
    guard geteuid() == 0 else { return }
    try files.createSymbolicLink(atPath: folder.file("d"), withDestinationPath: "c")
    #expect(lchown(folder.file("d"), 65_534, 65_534) == 0)
    try AtomicFile.replaceUnlocked(folder.file("d"), with: Data("mine".utf8))
    #expect(try String(contentsOfFile: folder.file("c"), encoding: .utf8) == "replaced")
  }

  @Test("a file that cannot be replaced stays as it was")
  func failure() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("folder")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: POSIXError.self) {
      try AtomicFile.replace(path, with: Data(), isDurable: false)
    }
    #expect(throws: POSIXError.self) {
      try AtomicFile.replace(folder.file("absent/file"), with: Data(), isDurable: false)
    }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("bytes are written as two lower-case hexadecimal digits each")
  func hexadecimal() {
    #expect([UInt8]([0, 9, 10, 0xAB, 0xFF]).hexadecimal == "00090aabff")
    #expect([UInt8]().hexadecimal.isEmpty)
  }
}
