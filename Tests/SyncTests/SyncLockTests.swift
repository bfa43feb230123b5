import Foundation
import Models
import Networking
import Storage
import Sync
import SyncSupport
import SystemSupport
import TestSupport
import Testing

/// Two syncs of the same account and resource into one database.
@Suite(.timeLimit(.minutes(10))) struct SyncLockTests {
  private func isAlreadyRunning(_ error: any Error) -> Bool {
    guard case SyncError.alreadyRunning(account: "default") = error else { return false }
    return true
  }

  @Test("a second sync while one runs waits for a time, and then says that one is running")
  func alreadyRunning() async throws {
    let gate = RequestGate(at: "/list?start=10")
    let fixture = try await ListFixture(.sweep, ListServer(rows: 25), gate: gate)
    let first = Task { try await fixture.sync.run() }
    try await eventually("the first is among its pages") { gate.isReached }
    let asked = fixture.server.requests
    await #expect {
      _ = try await fixture.other(lockTimeout: .milliseconds(20)).run()
    } throws: {
      isAlreadyRunning($0)
    }
    #expect(fixture.server.requests == asked)
    gate.open()
    #expect(try await first.joined.counts.inserted == 25)
    try await fixture.stop()
  }

  @Test("a second sync that may wait begins when the first has ended")
  func waits() async throws {
    let gate = RequestGate(at: "/list?start=10")
    let fixture = try await ListFixture(.sweep, ListServer(rows: 25), gate: gate)
    let first = Task { try await fixture.sync.run() }
    try await eventually("the first is among its pages") { gate.isReached }
    let second = Task { try await fixture.other(lockTimeout: Patience.limit).run() }
    gate.open()
    #expect(try await first.joined.counts.inserted == 25)
    #expect(try await second.joined.counts.unchanged == 25)
    // The one after the other, and neither among the pages of the other.
    let pages = ["/list", "/list?start=10", "/list?start=20"]
    #expect(fixture.server.requests == pages + pages)
    try await fixture.stop()
  }

  @Test("the lock lies beside the database, for its owner alone, one for each account and resource")
  func cursor() async throws {
    let fixture = try await ListFixture(.sweep, ListServer(rows: 5))
    let path = fixture.database.path + ".sync-default-invoices.lock"
    // As a process with folders of its own holds it.
    let lock = try await HeldLock.acquire(at: path, timeout: Patience.limit)
    await #expect {
      _ = try await fixture.other(lockTimeout: .milliseconds(20)).run()
    } throws: {
      isAlreadyRunning($0)
    }
    #expect(fixture.server.requests.isEmpty)
    lock.release()
    #expect(try await fixture.other(lockTimeout: .milliseconds(20)).run().result == .complete)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try await fixture.stop()
  }

  @Test("a lock that cannot be opened is reported as a fault of the database's path")
  func unusable() async throws {
    let fixture = try await ListFixture(.sweep, ListServer(rows: 5))
    let path = fixture.database.path + ".sync-default-invoices.lock"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    await #expect {
      try await fixture.sync.run()
    } throws: { error in
      guard case StorageError.inaccessible(path: path, _) = error else { return false }
      return true
    }
    #expect(fixture.server.requests.isEmpty)
    try await fixture.stop()
  }

  @Test("a sync into a database in memory needs no lock file")
  func inMemory() async throws {
    let fixture = try await ListFixture(.sweep, ListServer(rows: 25))
    let database = try await LocalDatabase.inMemory()
    let sync = ResourceSync(
      account: "default", feed: ListFeed(model: .sweep, counts: false, introduces: false),
      session: fixture.session, store: database.invoiceStore, logger: .silent)
    #expect(try await sync.run().counts.inserted == 25)
    #expect(try await sync.run().counts.unchanged == 25)
    #expect(try await database.invoiceCount(account: nil) == 25)
    try await database.close()
    try await fixture.stop()
  }
}
