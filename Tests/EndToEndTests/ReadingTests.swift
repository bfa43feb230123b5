import Foundation
import Sandbox
import TestSupport
import Testing

/// The output of the real program about stored records.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct ReadingTests {
  @Test(
    "an account that is neither configured nor stored is an error",
    arguments: ["list", "summary", "export", "show"])
  func unknownAccount(command: String) async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    var arguments = ["invoices", command, "--account", "defualt"]
    if command == "show" { arguments.append("x") }
    let wrong = try await fixture.start(arguments).ending()
    #expect(wrong.status == 78 && wrong.output.isEmpty, "\(wrong.output)")
    #expect(wrong.errors.contains("defualt"))
    #expect(try await fixture.run("invoices", "list").status == 0)
  }

  @Test("folders may have spaces, percent signs and other letters")
  func folders() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    let folder = fixture.keyring.home.file("höm é b%20")
    // It opens the database first, and stops where it has no login.
    _ = try await fixture.run("sync", "invoices", database: folder + "/a.sqlite")
    #expect(FileManager.default.fileExists(atPath: folder + "/a.sqlite"))
    let list = try await fixture.run("invoices", "list", database: folder + "/a.sqlite")
    #expect(list.status == 0, "\(list.errors)")
  }

  @Test("a damaged database is renamed with a warning")
  func damaged() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    try await fixture.makeDatabase()
    // What the log still holds would be read as sound.
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: fixture.databasePath + suffix)
    }
    try Data(repeating: 7, count: 9_000).write(to: URL(filePath: fixture.databasePath))
    let list = try await fixture.run("invoices", "list")
    #expect(list.status == 0 && list.errors.contains(".damaged-"), "\(list.errors)")
    #expect(list.errors.contains("appcore sync all"))
    let second = try await fixture.run("invoices", "list").errors
    #expect(second.hasPrefix("No invoices are stored"), "\(second)")
  }

  @Test("a dry run that ends early does not promise that the next sync continues it")
  func dryRun() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 600, seed: 1) }
      .signedIn()
    let dryRun = try await fixture.run("sync", "invoices", "--dry-run", "--limit", "10")
    #expect(
      dryRun.status == 75 && dryRun.errors.contains("A dry run keeps nothing"), "\(dryRun.errors)")
    let limited = try await fixture.run("sync", "invoices", "--limit", "10")
    #expect(limited.status == 75 && !limited.output.contains("continues"), "\(limited.output)")
    #expect(
      limited.errors.hasSuffix(
        """
        stopped after the number of records that was allowed
          What was read is stored. The next sync continues from here.

        """), "\(limited.errors)")
  }

  @Test(
    "an invoice is overdue from the day after its due date in the user's time zone",
    .enabled(if: OtherWriter.isAvailable, "python3 is not installed"))
  func today() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    try await fixture.makeDatabase()
    let other = try OtherWriter(at: fixture.databasePath)
    // The two have never the same day.
    var days: [String: String] = [:]
    for zone in ["Etc/GMT-14", "Etc/GMT+12"] {
      let calendar = Calendar(identifier: .gregorian)
      let parts = calendar.dateComponents(
        in: try #require(TimeZone(identifier: zone)), from: Date())
      days[zone] = String(
        format: "%04d-%02d-%02d", try #require(parts.year), try #require(parts.month),
        try #require(parts.day))
    }
    try await other.run("INSERT INTO account (row, name, source) VALUES (1, 'default', 's')")
    for (index, day) in days.values.enumerated() {
      try await other.run(
        "INSERT INTO invoice (account, id, number, type, status, raw_status, currency, due_date, total, "
          + "fingerprint, synced_at) VALUES (1, 'i\(index)', 'due \(day)', 'invoice', 'open', 'o', 'EUR', "
          + "'\(day)', '1', 0, 0)")
    }
    try await other.stop()
    for (zone, day) in days {
      var environment = fixture.environment
      environment["TZ"] = zone
      let list = try await ChildProcess(
        try ChildProcess.built("appcore"), ["invoices", "list", "--overdue"],
        environment: environment
      ).ending()
      #expect(list.status == 0 && !list.output.contains("due \(day)"), "\(zone): \(list.output)")
      let earlier = days.values.filter { $0 < day }
      #expect(earlier.allSatisfy { list.output.contains("due \($0)") }, "\(zone): \(list.output)")
    }
  }
}
