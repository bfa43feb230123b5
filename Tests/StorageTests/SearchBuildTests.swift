import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// The search index of a first sync, which is built beside the rows.
@Suite(.timeLimit(.minutes(10))) struct SearchBuildTests {
  private let scene = WholeInvoiceTests()

  /// Requires that the index has the words of the rows, and no others.
  private func check(_ database: LocalDatabase) async throws {
    #expect(try await !scene.isBehind(database))
    try await database.write { db in
      try db.execute(
        sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
    }
  }

  /// Runs `body` with a database of some invoices, and a build that begins with the first row.
  private func withBuild(
    _ body: (LocalDatabase, SearchBuild) async throws -> Void
  ) async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try scene.invoices(["a": "pear", "b": "plum"]), to: database)
      let build = SearchBuild(database.path, database.pool, least: 1)
      database.searchBuild.value = build
      build.stored(2)
      try await body(database, build)
      // Nobody sees its file.
      let folder = URL(filePath: database.path).deletingLastPathComponent()
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.relativePath)
      #expect(files.allSatisfy { !$0.contains("-search") }, "\(files)")
    }
  }

  @Test("the index has the words of every row, and follows what changes later")
  func built() async throws {
    try await withBuild { database, build in
      _ = try await scene.commit(try scene.invoices(["c": "quince", "d": "pears"]), to: database)
      #expect(await build.addRest())
      _ = try await scene.commit(try scene.invoices(["e": "medlar"]), to: database)
      #expect(try await scene.isBehind(database))
      try await database.updateIndexes()
      try await check(database)
      #expect(database.searchBuild.value == nil)
      #expect(try await scene.found("pear", in: database) == ["a", "d"])
      #expect(try await scene.found("medlar", in: database) == ["e"])
      _ = try await scene.commit(try scene.invoices(["a": "fig"], version: 9), to: database)
      try await database.updateIndexes()
      try await check(database)
      #expect(try await scene.found("pear", in: database) == ["d"])
      #expect(try await scene.found("fig", in: database) == ["a"])
    }
  }

  @Test("the database takes the index as it was built, and adds no word again")
  func adopted() async throws {
    try await withBuild { database, build in
      #expect(await build.addRest())
      let behind = try await database.read { try SearchState(db: $0).indexedRow() }
      #expect(await build.adopt())
      #expect(try await database.read { try SearchState(db: $0).indexedRow() } == behind + 2)
      try await check(database)
      #expect(try await scene.found("plum", in: database) == ["b"])
      #expect(await !build.adopt())
    }
  }

  @Test("the rows' own indexes are there before a later list, and the words after it")
  func leftWords() async throws {
    try await withBuild { database, _ in
      try await database.updateIndexes(leavesWords: true)
      #expect(try await database.read { try RecordIndexes(db: $0).missing().isEmpty })
      #expect(try await scene.isBehind(database))
      #expect(try await scene.found("plum", in: database) == ["b"])
      try await database.updateIndexes()
      try await check(database)
    }
  }

  @Test("a row that changed after its words were read is indexed as ever")
  func changed() async throws {
    try await withBuild { database, build in
      #expect(await build.addRest())
      _ = try await scene.commit(try scene.invoices(["b": "quince"], version: 9), to: database)
      #expect(await !build.adopt())
      #expect(try await database.read { try SearchState(db: $0).indexedRow() } == 0)
      try await database.updateIndexes()
      try await check(database)
      #expect(try await scene.found("plum", in: database) == [])
      #expect(try await scene.found("quince", in: database) == ["b"])
    }
  }

  @Test("rows that were forgotten, and others in their place, are indexed as ever")
  func forgotten() async throws {
    try await withBuild { database, build in
      #expect(await build.addRest())
      try await database.forgetRecords(account: "default")
      _ = try await scene.commit(try scene.invoices(["d": "fig"]), to: database)
      database.searchBuild.value = build
      try await database.updateIndexes()
      try await check(database)
      #expect(try await scene.found("pear", in: database) == [])
      #expect(try await scene.found("fig", in: database) == ["d"])
    }
  }

  @Test("words that somebody else has indexed meanwhile stay, and are not there twice")
  func indexedMeanwhile() async throws {
    try await withBuild { database, build in
      #expect(await build.addRest())
      // As a search does.
      try await database.write { _ = try SearchIndexer($0).addNext() }
      #expect(await !build.adopt())
      try await check(database)
      #expect(try await scene.found("pear", in: database) == ["a"])
    }
  }

  @Test("a search that indexes everything ends the build, which nobody can use any more")
  func searchedMeanwhile() async throws {
    try await withBuild { database, build in
      #expect(try await scene.found("pear", in: database) == ["a"])
      try await database.updateIndexes(leavesWords: true)
      try await database.updateIndexes()
      #expect(database.searchBuild.value == nil)
      #expect(await !build.adopt())
      try await check(database)
    }
  }

  @Test("while rows are stored, half of their words wait, and none afterwards")
  func paced() {
    var progress = SearchBuild.Progress(least: 20)
    func added(after stored: Int) -> Int {
      progress.stored = stored
      if progress.isWorthwhile { progress.noteAdded(progress.stored - progress.added) }
      return progress.added
    }
    // After a batch of 20, the next one is worth it with a quarter more.
    #expect([19, 20, 44, 45].map(added) == [0, 20, 20, 45])
    #expect([77, 88, 90].map(added) == [45, 45, 90])
    progress.addsAll = true
    #expect(added(after: 91) == 91)
    #expect(!progress.isWorthwhile)
  }

  @Test("a build that waits for rows does not outlive its owner")
  func dropped() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try scene.invoices(["a": "pear"]), to: database)
      var build: SearchBuild? = SearchBuild(database.path, database.pool, least: 1)
      weak let waiting = build
      build?.stored(1)
      try await eventually("it has added the words") { waiting?.added == 1 }
      build = nil
      try await eventually("it is gone") { waiting == nil }
    }
  }

  @Test("a cancelled sync leaves the index to the next one")
  func cancelled() async throws {
    try await withBuild { database, build in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await database.updateIndexes()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await scene.isBehind(database))
      try await database.updateIndexes()
      try await check(database)
    }
  }

  @Test("a first sync of many invoices builds its index beside them")
  func firstSync() async throws {
    try await scene.withDatabase { database in
      let names = (1...20_000).map { "id-\($0)" }
      _ = try await scene.commit(
        try scene.invoices(Dictionary(uniqueKeysWithValues: names.map { ($0, "word \($0)") })),
        to: database)
      let build = try #require(database.searchBuild.value)
      #expect(build.hasBegun)
      try await database.updateIndexes()
      try await check(database)
      #expect(database.searchBuild.value == nil)
      #expect(try await scene.found("id-4711", in: database) == ["id-4711"])
    }
  }

  @Test("a database can be closed while its index is being built")
  func closed() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let database = try await LocalDatabase.open(at: path)
    _ = try await scene.commit(try scene.invoices(["a": "pear"]), to: database)
    let build = SearchBuild(path, database.pool, least: 1)
    database.searchBuild.value = build
    build.stored(1)
    try await database.close()
    #expect(await !build.adopt())
    let again = try await LocalDatabase.open(at: path)
    try await again.updateIndexes()
    try await check(again)
    try await again.close()
  }
}
