import Foundation
import Models
import Sandbox
import Storage
import TestSupport
import Testing

/// Commands of the real program that only read while another process holds the writer's lock.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .cleansUp,
  .enabled(if: PrivateKeyring.isAvailable, "dbus or gnome-keyring is not installed"),
  .enabled(if: LockHolder.isAvailable, "flock is not installed"))
struct ConcurrentWriterTests {
  private static let reading = [
    ["invoices", "list"], ["invoices", "list", "--json"], ["invoices", "summary"],
    ["invoices", "export"], ["status", "--json"],
  ]

  // Edge case 52
  @Test("commands that read end with 0 while another process holds the writer's lock")
  func reading() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 30, seed: 3) }
      .signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let before = try await fixture.stored()
    let free = try await outputs(fixture)
    let holder = try await LockHolder(of: fixture.databasePath + ".lock")
    #expect(try await outputs(fixture) == free)
    let show = try await fixture.run("invoices", "show", before[0].id)
    #expect(show.status == 0, "\(show.errors)")
    // Whoever writes waits, and says so at its end.
    let sync = try await fixture.run("sync", "invoices", "--json")
    #expect(sync.status == 75 && sync.errors.contains("database-busy"), "\(sync.errors)")
    await holder.stop()
    #expect(try await fixture.stored() == before)
  }

  @Test("a command that reads waits for nothing and creates nothing without a database")
  func absent() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    let folder = URL(filePath: fixture.databasePath).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let holder = try await LockHolder(of: fixture.databasePath + ".lock")
    // Without a keyring, the account needs its user.
    _ = try await outputs(fixture, status: 1)
    let show = try await fixture.run("invoices", "show", "1")
    #expect(show.status == 1 && show.errors.contains("no invoice has the number"), "\(show.errors)")
    #expect(!FileManager.default.fileExists(atPath: fixture.databasePath))
    await holder.stop()
  }

  /// Returns the output of each command; all of them have to succeed.
  ///
  /// - Parameter status: the exit code of `appcore status`.
  private func outputs(
    _ fixture: ProgramFixture, status: Int32 = 0
  ) async throws -> [String] {
    var outputs: [String] = []
    for arguments in Self.reading {
      let ending = try await fixture.start(arguments).ending()
      let isNote = ending.errors.hasPrefix("No invoices are stored")
      let expected = arguments.first == "status" ? status : 0
      #expect(ending.status == expected, "\(arguments): \(ending.errors)")
      #expect(ending.errors.isEmpty || isNote, "\(arguments): \(ending.errors)")
      outputs.append(ending.output)
    }
    return outputs
  }
}
