import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// The refusal of files that are not appcore's, which stay as they are.
@Suite(.timeLimit(.minutes(10))) struct ForeignFileTests {
  private func expectRefused(_ path: String) async throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let before = try Data(contentsOf: URL(filePath: path))
    for _ in 0..<2 {
      await #expect { _ = try await LocalDatabase.open(at: path) } throws: {
        if case StorageError.foreign = $0 { true } else { false }
      }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
  }

  // Edge case 64
  @Test("a named pipe is no database: nothing waits for its other end, and it keeps its mode")
  func pipe() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o644) == 0)
    let calls: [(String) async throws -> LocalDatabase?] = [
      { try await LocalDatabase.open(at: $0) }, { try await LocalDatabase.openForReading(at: $0) },
      { try await LocalDatabase.openUnchanged(at: $0) },
    ]
    for open in calls {
      await #expect { _ = try await open(path) } throws: {
        if case StorageError.foreign = $0 { true } else { false }
      }
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }

  @Test("a text file is no database, and stays as it is")
  func text() async throws {
    let folder = try TemporaryDirectory()
    try await expectRefused(try folder.write("buy paint\n", to: "notes.txt"))
  }

  @Test("another program's database is not changed in any way", arguments: [0, 77])
  func database(id: Int) async throws {
    let folder = try TemporaryDirectory()
    let queue = try DatabaseQueue(path: folder.file("theirs.sqlite"))
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE theirs (x); PRAGMA application_id = \(id)")
    }
    try queue.close()
    try await expectRefused(folder.file("theirs.sqlite"))
  }

  @Test("a copy of appcore's database without its log and an empty file are both opened")
  func ours() async throws {
    let folder = try TemporaryDirectory()
    try await LocalDatabase.open(at: folder.file("a.sqlite")).close()
    try await LocalDatabase.writeBack(at: folder.file("a.sqlite"))
    try FileManager.default.copyItem(
      atPath: folder.file("a.sqlite"), toPath: folder.file("b.sqlite"))
    try await LocalDatabase.open(at: folder.file("b.sqlite")).close()
    try await LocalDatabase.open(at: try folder.write("", to: "c.sqlite")).close()
  }
}
