import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

/// The texts of a sync for people.
@Suite(.timeLimit(.minutes(10))) struct SyncOutputTests {
  private static func rows(_ ids: Range<Int>, total: String = "1.50") -> String {
    let rows = ids.map {
      #"{"id":"\#($0)","number":"A-\#($0)","status":"open","day":"2024-05-01","total":"\#(total)"}"#
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  @Test("a sync counts new records, and says if there are none")
  func upToDate() async throws {
    let fixture = try await CommandFixture.loggedIn([
      Self.rows(0..<1), Self.rows(0..<1), Self.rows(0..<2),
    ])
    let first = await fixture.run("sync", "invoices").output
    #expect(
      first.hasPrefix("Synced invoices: 1 new (1 excluding deleted; 1 page, 1 request, "),
      "\(first)")
    #expect(
      await fixture.run("sync", "invoices").output == "Up to date (1 invoice excluding deleted)\n")
    let all = await fixture.run("sync", "all").output
    #expect(all.hasPrefix("Synced invoices: 1 new (2 excluding deleted; "), "\(all)")
  }

  @Test("a sync names the words for statuses that appcore does not know")
  func unknownStatuses() async throws {
    let rows = Self.rows(0..<3).replacing("open", with: "in_dispute", maxReplacements: 2)
    let changed = rows.replacing("1.50", with: "2.50")
    let fixture = try await CommandFixture.loggedIn([rows, rows, changed])
    let first = await fixture.run("sync", "invoices").output
    #expect(
      first.contains(
        "\n2 invoices have the status in_dispute, which appcore does not know: nothing counts as "
          + "due of them.\n"), "\(first)")
    let second = await fixture.run("sync", "invoices").output
    #expect(second == "Up to date (3 invoices excluding deleted)\n")
    let all = await fixture.run("sync", "invoices", "--all-accounts").output
    #expect(
      all.contains("3 changed (3 excluding deleted; 2 with the unknown status in_dispute)"),
      "\(all)")
  }

  @Test("a failure's instants are shown as local times, with the time until then")
  func localTimes() throws {
    let (later, earlier) = ("2026-11-25T21:40:00Z", "2026-11-24T00:00:00.500Z")
    let (first, second) = (try #require(Timestamp(later)), try #require(Timestamp(earlier)))
    let text: Sentence =
      "Run it again at \(first), not \(second), as 2026-11-25T21:40:00Z is a text"
    let now = try #require(Timestamp("2026-11-25T21:10:00Z")).date
    let zone = try #require(TimeZone(identifier: "Europe/Warsaw"))
    #expect(
      text.text { HumanText.time($0, from: now, in: zone) }
        == "Run it again at 22:40 (in 30 min), not 2026-11-24 01:00, "
        + "as 2026-11-25T21:40:00Z is a text")
    #expect(text.description.hasPrefix("Run it again at \(later), not \(earlier), as "))
  }

  @Test("--quiet prints errors only; a document is printed all the same")
  func quiet() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows(0..<2), Self.rows(0..<2), "{}"])
    let quiet = await fixture.run("sync", "invoices", "-q")
    #expect(quiet.status == .done && quiet.output.isEmpty && quiet.errors.isEmpty)
    let json = try await fixture.run("sync", "invoices", "-q", "--json").document()
    #expect(json["unchanged"] as? Int == 2)
    let failed = await fixture.run("sync", "invoices", "-q")
    #expect(failed.status == .unreadableData && failed.output.isEmpty && !failed.errors.isEmpty)
  }

  @Test("a dry run names each record, with its change if there is only one")
  func dryRun() async throws {
    let fixture = try await CommandFixture.loggedIn([
      Self.rows(0..<3),
      "[" + Self.rows(0..<1, total: "2").dropFirst().dropLast() + ","
        + Self.rows(1..<2).dropFirst().dropLast() + "," + Self.rows(3..<4).dropFirst(),
    ])
    #expect(await fixture.run("sync", "invoices").status == .done)
    let ending = await fixture.run("sync", "invoices", "--dry-run", "--full")
    let lines = ending.output.split(separator: "\n").map(String.init)
    #expect(ending.status == .done && lines.count == 6, "\(ending.output)")
    #expect(lines.first == "Would add 1 invoice, change 1, delete 1")
    #expect(Set(lines.dropFirst()).isSuperset(of: ["  add     A-3", "  delete  A-2"]))
    #expect(lines.suffix(from: 1).contains("  change  A-0") && lines.contains("    total 1.50 → 2"))
    #expect(await fixture.run("invoices", "list").output.contains("A-2"))
  }

  @Test("a dry run lists the deletions that a run would refuse, and ends like that run")
  func excess() async throws {
    let fixture = try await CommandFixture.loggedIn([
      Self.rows(0..<12), Self.rows(0..<1), Self.rows(0..<1),
    ])
    #expect(await fixture.run("sync", "invoices").status == .done)
    let ending = await fixture.run("sync", "invoices", "--dry-run", "--full")
    #expect(ending.status == .unreadableData)
    #expect(ending.output.hasPrefix("Would delete 11 invoices\n  delete  A-"), "\(ending.output)")
    let allowed = await fixture.run(
      "sync", "invoices", "--dry-run", "--full", "--allow-mass-deletion")
    #expect(allowed.status == .done && allowed.output.contains("  delete  A-11"))
  }

  @Test("--progress=json writes an object for each event on standard error")
  func progressJSON() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows(0..<2)])
    let ending = await fixture.run("sync", "invoices", "--progress", "json", "-q")
    let events = try ending.errors.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(
      events.map { $0["event"] as? String } == ["connecting", "stored", "indexing", "finished"])
    #expect(events.allSatisfy { $0["schemaVersion"] as? Int == 1 })
    #expect(events[1]["records"] as? Int == 2 && ending.output.isEmpty)
  }

  @Test("with --progress json, failures, notes and logs are JSON objects too")
  func onlyJSONOnStandardError() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows(0..<2, total: "?"), "{}"])
    for (arguments, code) in [
      (["sync", "invoices", "--progress", "json"], "unreadable-data"),
      (["sync", "invoices", "--progress=json", "-vv", "--trace-http"], "unreadable-data"),
      (["sync", "invoices", "--progress", "json", "--limit", "0"], "usage"),
      (["sync", "invoices", "--progress", "json", "--account", "none"], "unknown-account"),
    ] {
      let ending = await fixture.run(arguments)
      let objects = try ending.errors.split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      }
      let failure = objects.last?["error"] as? [String: Any]
      #expect(failure?["code"] as? String == code, "\(ending.errors)")
      #expect(objects.dropLast().allSatisfy { $0["event"] is String }, "\(ending.errors)")
    }
  }

  @Test("in a pipe, and on a terminal without escape sequences, no escape byte is written")
  func noEscapes() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows(0..<2), Self.rows(0..<2)])
    let pipe = await fixture.run("sync", "invoices")
    #expect(pipe.errors.isEmpty && !pipe.output.contains("\u{1B}"))
    let dumb = await fixture.run(
      "sync", "invoices", variables: ["TERM": "dumb"], onTerminal: true)
    #expect(dumb.errors.isEmpty && !dumb.output.contains("\u{1B}"))
  }
}
