import Foundation
import Models
import Providers
import Sandbox
import Storage
import Sync
import TestSupport
import Testing

/// The guide to SQL prints the answers that its queries give on the real invoices.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: RealInvoices.isThere, "the folder with real invoices is not there"))
struct SQLGuideTests {
  private struct Example {
    let code: Substring
    let answer: Substring
  }

  private static let guide =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path(percentEncoded: false)
    + "/Modules/AppCore/AppCore.docc/SQL.md"

  /// The pieces of code in one language, each with the answer below it.
  private func examples(of language: String) throws -> [Example] {
    let text = try String(contentsOfFile: Self.guide, encoding: .utf8)
    return try text.split(separator: "```\(language)\n").dropFirst().map { piece in
      let parts = piece.split(separator: "```text\n", maxSplits: 1)
      return Example(
        code: try #require(parts.first?.split(separator: "\n```\n").first),
        answer: try #require(parts.last?.split(separator: "\n```", maxSplits: 1).first))
    }
  }

  /// Lines without the spaces at their ends, which no reader sees.
  private func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func withRealInvoices(_ body: (_ path: String) async throws -> Void) async throws {
    let fixture = try await SyncFixture { $0.source = .csv(directory: RealInvoices.folder) }
    #expect(try await fixture.sync.run().counts.inserted == 601)
    try await body(fixture.database.path)
    try await fixture.stop()
  }

  /// Syncs made-up invoices with everything that settles them, of which the real ones have sums
  /// alone.
  private func withMadeUpBooks(_ body: (_ path: String) async throws -> Void) async throws {
    let fixture = try await SyncFixture { $0.source = .generated(invoices: 250, seed: 1) }
    let context = ProviderContext(account: "default", baseURL: fixture.server.url, tenantID: nil)
    for resource in XeroProvider().resources(in: context) {
      let sync = try #require(
        XeroProvider().sync(
          resource, in: context, over: fixture.session, into: fixture.database, logger: .silent))
      #expect(try await sync.run().result == .complete)
    }
    try await body(fixture.database.path)
    try await fixture.stop()
  }

  private func withMoneybird(_ body: (_ path: String) async throws -> Void) async throws {
    let fixture = try await LoopbackSync(.moneybird, invoices: 250) {
      MoneybirdFeed(MoneybirdInvoices.self, baseURL: $0.url)
    }
    #expect(try await fixture.sync.run().result == .complete)
    try await body(fixture.database.path)
    try await fixture.stop()
  }

  @Test(
    "the queries answer in the sqlite3 shell what the guide prints",
    .enabled(if: ChildProcess.find("sqlite3") != nil, "sqlite3 is not installed"))
  func queries() async throws {
    let shell = try #require(ChildProcess.find("sqlite3"))
    let examples = try examples(of: "sql")
    #expect(examples.count == 16)
    func answer(_ path: String, _ asked: [Example]) async throws {
      for example in asked {
        let ending = try await ChildProcess(
          shell, ["-readonly", "-header", "-column", path, String(example.code)], environment: [:]
        ).ending()
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(example.code)\n\(ending.errors)")
        #expect(lines(ending.output) == lines(example.answer), "\(example.code)")
      }
    }
    let settled = examples.filter { $0.code.contains("allocations") }
    let taxed = examples.filter { $0.code.contains("from taxes") }
    try await withRealInvoices { path in
      try await answer(
        path, examples.filter { !["allocations", "from taxes"].contains(where: $0.code.contains) })
    }
    try await withMadeUpBooks { path in try await answer(path, settled) }
    try await withMoneybird { path in try await answer(path, taxed) }
  }

  @Test(
    "Python's sqlite3 answers the same without a function of appcore's",
    .enabled(if: ChildProcess.find("python3") != nil, "python3 is not installed"))
  func python() async throws {
    let python = try #require(ChildProcess.find("python3"))
    let examples = try examples(of: "python")
    #expect(examples.count == 1)
    try await withRealInvoices { path in
      for example in examples {
        let ending = try await ChildProcess(
          python, ["-c", String(example.code), path],
          environment: ProcessInfo.processInfo.environment
        ).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(lines(ending.output) == lines(example.answer))
      }
    }
  }
}
