import Foundation
import Sandbox
import SyncSupport
import SystemSupport
import TestSupport
import Testing

/// The real program, killed while it fetches files, again and again.
@Suite(
  .serialized, .timeLimit(.minutes(60)), .cleansUp, .needsKeyring,
  .enabled(if: ProcessInfo.processInfo.environment["APPCORE_DOCUMENT_KILLS"] != nil, "a proof"))
struct KilledDocumentsTests {
  private static let providers: [SandboxProvider] = [.xero, .quickbooks, .stripe, .moneybird]
  /// The number of kills that have to hit a running program, for each provider;
  /// `APPCORE_DOCUMENT_KILLS` sets the number of all.
  private static let kills =
    ProcessInfo.processInfo.environment["APPCORE_DOCUMENT_KILLS"].flatMap { Int($0) }
    .map { ($0 + providers.count - 1) / providers.count } ?? 2
  /// The number of kills after which a run is let through and everything compared.
  private static let series = 7
  /// The number of concurrent requests of a run.
  private static let width = 4

  // Edge case 70
  @Test(
    "a program killed while it fetches files and run again leaves an undisturbed run's files",
    arguments: Self.providers)
  func killed(provider: SandboxProvider) async throws {
    var random = SeededRandom(seed: 1)
    let fixture = try await ProgramFixture(provider) {
      $0.source = .generated(invoices: 1_000, seed: 8)
      $0.latency = .milliseconds(20)
      $0.documents.size = 30_000
    }.signedIn()
    let undisturbed = try TemporaryDirectory(inMemory: true)
    let start = ContinuousClock.now
    let needed = try await fetch(fixture, undisturbed)
    let length = ContinuousClock.now - start
    let sums = try await sums(fixture, undisturbed)
    #expect(sums.split(separator: "\n").count > 300 && needed > 300)
    var (hits, misses) = (0, 0)
    while hits < Self.kills {
      let folder = try TemporaryDirectory(inMemory: true)
      try await syncInvoices(fixture, folder)
      let before = await Self.requests(fixture)
      var own = 0
      for _ in 0..<Self.series where hits < Self.kills {
        let program = try fixture.start(
          ["documents", "sync", "--quiet"], database: folder.file("data.sqlite"))
        try await Task.sleep(for: length * (Double(random.within(100...700)) / 1_000))
        program.send(SIGKILL)
        // 137 is 128 and SIGKILL.
        guard await program.ending().status == 137 else {
          misses += 1
          break
        }
        (hits, own) = (hits + 1, own + 1)
        try Self.expectWhole(folder)
      }
      let last = try await fixture.run(
        "documents", "sync", "--quiet", database: folder.file("data.sqlite"))
      #expect(last.status == 0, "\(last.errors)")
      let sent = await Self.requests(fixture) - before
      #expect(sent <= needed + own * Self.width, "\(sent) requests, \(needed) needed, \(own) kills")
      try Self.expectWhole(folder)
      #expect(try await self.sums(fixture, folder) == sums)
      #expect(Self.objects(folder) == Self.objects(undisturbed))
      let leftovers = try FileManager.default.contentsOfDirectory(
        atPath: folder.file("documents/arriving"))
      #expect(leftovers.isEmpty)
    }
    print(
      "documents: \(provider): \(needed) files, \(hits) kills of running programs, "
        + "\(misses) after their end")
  }

  private func syncInvoices(_ fixture: ProgramFixture, _ folder: TemporaryDirectory) async throws {
    let ending = try await fixture.run(
      "sync", "all", "--quiet", database: folder.file("data.sqlite"))
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Fetches everything undisturbed, and returns the number of requests for it.
  private func fetch(_ fixture: ProgramFixture, _ folder: TemporaryDirectory) async throws -> Int {
    try await syncInvoices(fixture, folder)
    let before = await Self.requests(fixture)
    let ending = try await fixture.run(
      "documents", "sync", "--quiet", database: folder.file("data.sqlite"))
    #expect(ending.status == 0, "\(ending.errors)")
    return await Self.requests(fixture) - before
  }

  /// Returns the names and checksums of an export.
  private func sums(_ fixture: ProgramFixture, _ folder: TemporaryDirectory) async throws -> String
  {
    let ending = try await fixture.run(
      "documents", "export", "--quiet", "--dir", folder.file("export"),
      database: folder.file("data.sqlite"))
    #expect(ending.status == 0, "\(ending.errors)")
    return try String(contentsOfFile: folder.file("export/SHA256SUMS"), encoding: .utf8)
  }

  /// Returns the number of requests for files, and for the lists of Xero's attachments.
  ///
  /// A link is asked for with another request, of which there is one for each of these.
  private static func requests(_ fixture: ProgramFixture) async -> Int {
    let parts = ["application/pdf", "Attachments", "/pdf", "/d/"]
    return await fixture.server.statistics().requests
      .filter { request in parts.contains { request.key.contains($0) } }
      .values.reduce(0) { $0 + $1.values.reduce(0, +) }
  }

  private static func objects(_ folder: TemporaryDirectory) -> Set<String> {
    let all = FileManager.default.enumerator(atPath: folder.file("documents/objects"))
    return Set((all?.compactMap { $0 as? String } ?? []).filter { $0.count > 2 })
  }

  /// Requires that each object is what its name says.
  private static func expectWhole(_ folder: TemporaryDirectory) throws {
    for object in objects(folder) {
      let content = try Data(contentsOf: URL(filePath: folder.file("documents/objects/" + object)))
      #expect(object.hasSuffix("/" + SHA256.hash(content).hexadecimal))
    }
  }
}
