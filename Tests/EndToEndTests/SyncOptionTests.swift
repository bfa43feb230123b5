import Foundation
import Models
import Reports
import Sandbox
import TestSupport
import Testing

/// `appcore sync …` and `invoices export`, as a script uses them.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct SyncOptionTests {
  private struct Report: Decodable {
    struct Verification: Decodable, Equatable {
      let missing: Int
      let different: Int
      let surplus: Int
    }
    struct Change: Decodable {
      struct Field: Decodable, Equatable {
        let field: String
        let old: String?
        let new: String?
      }
      let id: String
      let change: String
      let fields: [Field]
    }

    let resource: String
    let result: String
    let ending: String?
    let inserted: Int
    let updated: Int
    let retryAt: String?
    let verification: Verification?
    let changes: [Change]?
  }

  private struct Reports: Decodable { let reports: [Report] }
  private struct Problem: Decodable {
    struct Content: Decodable {
      let code: String
      let exitCode: Int
      let retryable: Bool
      let resource: String?
    }
    let error: Content
    let errors: [Content]?
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test("one command syncs every list of the provider, each with a report")
  func all() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 150, seed: 5) }
    _ = try await fixture.run("login")
    let ending = try await fixture.run("sync", "all", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    let reports = try decode(Reports.self, ending.output).reports
    #expect(
      reports.map(\.resource) == [
        "invoices", "credit-notes", "payments", "prepayments", "overpayments", "contacts",
      ])
    #expect(reports.allSatisfy { $0.result == "complete" })
    #expect(reports.filter { $0.inserted > 0 }.count > 3)
    let status = try await fixture.run("status").output
    #expect(status.contains("  invoices   ") && status.contains("; complete "), "\(status)")
    #expect(status.contains("  contacts   ") && !status.contains("never synced"), "\(status)")
    let contacts = try await fixture.run("sync", "contacts", "--json")
    #expect(try decode(Report.self, contacts.output).inserted == 0)
  }

  @Test(
    "failures of several syncs are one object on standard error, or a text for each")
  func allFail() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 150, seed: 5) }
    _ = try await fixture.run("login")
    for (path, status) in [("Invoices", 503), ("Contacts", 403)] {
      fixture.server.armFault(
        Fault(path: "/api.xro/2.0/\(path)", kind: .status, times: 50, status: status))
    }
    let ending = try await fixture.run("sync", "all", "--json")
    #expect(ending.status == 77, "\(ending.errors) \(ending.output)")
    let problem = try decode(Problem.self, ending.errors)
    #expect(problem.errors?.map(\.resource) == ["invoices", "contacts"], "\(ending.errors)")
    #expect(problem.errors?.map(\.exitCode) == [69, 77])
    // What does not pass by itself decides.
    #expect(problem.error.exitCode == 77)
    let reports = try decode(Reports.self, ending.output).reports
    #expect(
      reports.map(\.resource) == ["credit-notes", "payments", "prepayments", "overpayments"])
    let text = try await fixture.run("sync", "all", "--quiet")
    #expect(text.status == 77)
    for resource in ["invoices", "contacts"] {
      #expect(text.errors.contains("appcore: \(resource): "), "\(text.errors)")
    }
  }

  @Test("a login that may not read contacts syncs invoices, and is told once what it lacks")
  func contactsDenied() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 150, seed: 5) }
    _ = try await fixture.run("login")
    fixture.server.armFault(
      Fault(
        path: "/api.xro/2.0/Contacts", kind: .status, times: 50, status: 403,
        body: #"{"Title":"Forbidden","Detail":"AuthorizationUnsuccessful"}"#))
    let hint = "The list of contacts needs the scope accounting.contacts.read. Sign in again"
    for command in ["all", "contacts"] {
      let ending = try await fixture.run("sync", command)
      #expect(ending.status == 77)
      #expect(ending.output.contains("Synced invoices: 150 new") == (command == "all"))
      #expect(ending.errors.components(separatedBy: hint).count == 2, "\(ending.errors)")
    }
    let later = try await fixture.run("sync", "all")
    #expect(later.status == 77)
    #expect(
      later.errors.hasPrefix("appcore: contacts: still no access, as reported before\n"),
      "\(later.errors)")
    #expect(!later.errors.contains(hint) && later.errors.contains("appcore status"))
    #expect(try await fixture.run("sync", "all", "--json").errors.contains(hint))
    // Another sign-in may have been meant to grant it.
    _ = try await fixture.run("login")
    let again = try await fixture.run("sync", "all")
    #expect(again.status == 77 && again.errors.contains(hint), "\(again.errors)")
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let status = try await fixture.run("status").output
    #expect(status.contains("accounting.contacts.read"), "\(status)")
  }

  @Test("a limit ends the run with 75, on both streams, and the next runs continue")
  func limit() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 350, seed: 5) }
    _ = try await fixture.run("login")
    let first = try await fixture.run("sync", "invoices", "--json", "--limit", "150")
    #expect(first.status == 75)
    let report = try decode(Report.self, first.output)
    #expect(report.result == "partial" && report.ending == "limit" && report.retryAt != nil)
    #expect(report.inserted == 250)
    let problem = try decode(Problem.self, first.errors).error
    #expect(problem.code == "budget-spent" && problem.exitCode == 75 && problem.retryable)
    let all = try await fixture.run("sync", "all", "--json", "--limit", "1")
    let problems = try decode(Problem.self, all.errors)
    #expect(all.status == 75 && problems.errors?.first?.resource == "invoices", "\(all.errors)")
    let second = try await fixture.run("sync", "invoices", "--json")
    #expect(second.status == 0, "\(second.errors)")
    // The credit notes are of another list.
    let stored = try await fixture.stored().filter { $0.type == .invoice || $0.type == .bill }
    #expect(stored == fixture.served())
  }

  @Test("a dry run reports changes and stores nothing; a comparison finds the differences")
  func dryRunAndVerify() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 120, seed: 5) }
    _ = try await fixture.run("login")
    _ = try await fixture.run("sync", "invoices")
    let changed = Set(fixture.server.changeInvoices(count: 3, seed: 1))
    let before = try await fixture.stored()
    let dry = try decode(
      Report.self, try await fixture.run("sync", "invoices", "--json", "--dry-run").output)
    #expect(dry.result == "dry-run" && dry.updated == 3)
    let changes = try #require(dry.changes)
    #expect(Set(changes.map(\.id)) == changed)
    for change in changes {
      let updated = change.fields.first { $0.field == "updatedAt" }
      let old = before.first { $0.id == change.id }?.updatedAt?.description
      #expect(change.change == "updated" && updated?.old == old && updated?.new != old)
    }
    let text = try await fixture.run("sync", "invoices", "--dry-run").output
    #expect(text.hasPrefix("Would change 3 invoices\n"), "\(text)")
    for invoice in before where changed.contains(invoice.id) {
      let name = [invoice.number, invoice.contact.name].compactMap(\.self).joined(separator: "  ")
      #expect(text.contains("  change  \(name)"), "\(text)")
    }
    #expect(text.contains(" → "), "\(text)")
    #expect(try await fixture.stored() == before)
    let verified = try await fixture.run("sync", "invoices", "--json", "--verify")
    #expect(verified.status == 0, "\(verified.errors)")
    let report = try decode(Report.self, verified.output)
    #expect(report.updated == 3)
    #expect(report.verification == .init(missing: 0, different: 0, surplus: 0))
    #expect(try await fixture.stored() == fixture.served())
    let bad = try await fixture.run("sync", "invoices", "--since", "2024-01-01", "--full")
    #expect(bad.status == 64)
  }

  @Test("every form of export holds every invoice, with stable columns")
  func export() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 120, seed: 5) }
    _ = try await fixture.run("login")
    _ = try await fixture.run("sync", "invoices")
    _ = fixture.server.deleteInvoices(count: 2)
    _ = try await fixture.run("sync", "invoices")
    let csv = try await fixture.run("invoices", "export")
    #expect(csv.status == 0, "\(csv.errors)")
    let lines = csv.output.split(separator: "\r\n")
    #expect(lines.count == 121)
    #expect(lines[0] == CSVTable.invoices.columns.joined(separator: ","))
    struct Row: Decodable {
      struct Line: Decodable { let lineAmount: String? }
      let id: String
      let total: String
      let lines: [Line]
      let deletedReason: String?
    }
    struct Document: Decodable { let invoices: [Row] }
    let json = try await fixture.run("invoices", "export", "--format", "json").output
    let rows = try decode(Document.self, json).invoices
    #expect(Set(rows.map(\.id)) == Set(fixture.served().map(\.id)))
    let deleted = rows.filter { $0.deletedReason == "status DELETED" }.map(\.id)
    #expect(Set(deleted) == Set(fixture.served().filter { $0.status == .deleted }.map(\.id)))
    #expect(!deleted.isEmpty)
    #expect(rows.contains { !$0.lines.isEmpty })
    let perLine = try await fixture.run("invoices", "export", "--format", "jsonl").output
    let single = try perLine.split(separator: "\n").map { try decode(Row.self, String($0)).id }
    #expect(single == rows.map(\.id))
    let found = try await fixture.run("invoices", "list", "--search", "zzzzz")
    #expect(found.status == 0 && found.output.isEmpty)
    #expect(found.errors.hasPrefix("No invoices match; "), "\(found.errors)")
  }
}
