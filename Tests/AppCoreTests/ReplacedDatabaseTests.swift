import Foundation
import Networking
import SecureStore
import Storage
import TestSupport
import Testing

@testable import AppCore

/// A program that runs for days while its database is removed or replaced.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ReplacedDatabaseTests {
  private let folder: TemporaryDirectory
  private let core: ApplicationCore

  init() throws {
    folder = try TemporaryDirectory()
    core = try ApplicationCore(
      CoreConfiguration(
        yaml: "{ database: \(folder.file("a.sqlite")), accounts: { default: { clientID: c } } }"),
      in: folder)
  }

  private func move(_ name: String, to other: String) throws {
    for suffix in ["", "-wal", "-shm"] {
      let file = folder.file(name + suffix)
      guard FileManager.default.fileExists(atPath: file) else { continue }
      try FileManager.default.moveItem(atPath: file, toPath: folder.file(other + suffix))
    }
  }

  @Test("the next request opens the replacing file, for reading and for a sync")
  func reopened() async throws {
    let old = try await core.database()
    #expect(try await core.databaseForReading()?.damagedFile == nil)
    #expect(!old.isReplaced)

    try move("a.sqlite", to: "old.sqlite")
    #expect(old.isReplaced)
    // None is created for a reader.
    #expect(try await core.databaseForReading() == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.sqlite")))

    let created = try await core.database()
    #expect(!created.isReplaced)
    #expect(try await core.databaseForReading()?.isReplaced == false)

    // A backup takes its place.
    try move("a.sqlite", to: "newer.sqlite")
    try move("old.sqlite", to: "a.sqlite")
    #expect(created.isReplaced && !old.isReplaced)
    #expect(try await core.databaseForReading()?.isReplaced == false)
    #expect(try await core.database().isReplaced == false)
  }

  @Test("a single reader follows too, and concurrent readers get the same file")
  func readers() async throws {
    try await LocalDatabase.open(at: folder.file("a.sqlite")).close()
    let old = try #require(try await core.databaseForReading())
    try move("a.sqlite", to: "old.sqlite")
    try await LocalDatabase.open(at: folder.file("a.sqlite")).close()
    let core = core
    let areReplaced = try await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { try await core.databaseForReading()?.isReplaced }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(areReplaced == Array(repeating: false, count: 20))
    #expect(old.isReplaced)
  }
}
