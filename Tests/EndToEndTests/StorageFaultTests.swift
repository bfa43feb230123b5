import Foundation
import GRDB
import Models
import Sandbox
import TestSupport
import Testing

/// The real program on a full disk, and while another program writes to its database.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct StorageFaultTests {
  /// True if the test can mount a small disk, which only root may.
  private static let canMount = geteuid() == 0 && ChildProcess.find("unshare") != nil

  /// Two syncs of a database on a disk of its own, which is made larger between them.
  private static let twoSyncs = """
    mount -t tmpfs -o size=2m none "$DISK" || exit 99
    "$0" sync invoices --json 2> "$KEPT/failure.json"; echo $?
    mkdir "$KEPT/full" && cp "$DISK"/* "$KEPT/full"
    mount -o remount,size=64m "$DISK" || exit 99
    "$0" sync invoices --json > "$KEPT/report.json"; echo $?
    cp "$DISK"/* "$KEPT"
    """

  private func code(of failure: String) throws -> String {
    try JSONDecoder().decode(ProgramTests.Failure.self, from: Data(failure.utf8)).error.code
  }

  private func isSound(_ path: String) async throws -> Bool {
    let queue = try DatabaseQueue(path: path)
    let found = try await queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    try queue.close()
    return found == ["ok"]
  }

  // Edge case 52
  @Test(
    "a full disk ends a sync with 74; stored records stay, and the next sync completes",
    .enabled(if: canMount, "making a file system takes root and unshare"))
  func full() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 3_000, seed: 1) }
      .signedIn()
    let (disk, kept) = (try TemporaryDirectory(), try TemporaryDirectory())
    var environment = fixture.environment
    environment["DISK"] = disk.path
    environment["KEPT"] = kept.path
    environment["APPCORE_DATABASE"] = disk.file("a.sqlite")
    let ending = try await ChildProcess(
      try #require(ChildProcess.find("unshare")),
      ["-m", "sh", "-c", Self.twoSyncs, try ChildProcess.built("appcore")], environment: environment
    ).ending()
    #expect(ending.output == "74\n0\n", "\(ending.errors)")
    let failure = try String(contentsOfFile: kept.file("failure.json"), encoding: .utf8)
    #expect(try code(of: failure) == "disk-full")

    let served = fixture.served()
    let full = try await fixture.stored(at: kept.file("full/a.sqlite"))
    #expect(!full.isEmpty && full.count < served.count)
    #expect(Set(full.map(\.id)).isSubset(of: Set(served.map(\.id))))
    #expect(try await isSound(kept.file("full/a.sqlite")))
    #expect(try await fixture.stored(at: kept.file("a.sqlite")) == served)
    #expect(try await isSound(kept.file("a.sqlite")))
    let report = try Data(contentsOf: URL(filePath: kept.file("report.json")))
    let inserted = try JSONDecoder().decode(ProgramTests.Report.self, from: report).inserted
    #expect(inserted == served.count - full.count)
  }

  // Edge case 52
  @Test(
    "a sync ends with 75 while another program writes to the database, and the next completes",
    .enabled(if: OtherWriter.isAvailable, "python3 is not installed"))
  func busy() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 150, seed: 2) }
      .signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let before = try await fixture.stored()
    fixture.server.changeInvoices(count: 20, seed: 4)
    let other = try OtherWriter(at: fixture.databasePath)
    try await other.run("BEGIN IMMEDIATE")
    try await other.run("UPDATE invoice SET reference = 'theirs'")
    let ending = try await fixture.run("sync", "invoices", "--json")
    #expect(ending.status == 75, "\(ending.errors)")
    #expect(try code(of: ending.errors) == "database-busy")
    // Whoever only looks is not held up.
    let list = try await fixture.run("invoices", "list", "-vv")
    #expect(list.status == 0, "\(list.errors)")
    try await other.stop()
    #expect(try await fixture.stored() == before)
    #expect(try await fixture.run("sync", "invoices").status == 0)
    #expect(try await fixture.stored() == fixture.served())
    #expect(try await isSound(fixture.databasePath))
  }
}
