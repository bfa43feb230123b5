import Foundation
import Models
import Sandbox
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct SummaryTests {
  private struct Summary: Decodable {
    struct Month: Decodable, Equatable {
      let month: CalendarMonth?
      let currency: Currency
      let type: InvoiceType
      let count: Int
      let total: ExactDecimal
      let amountDue: ExactDecimal
    }
    let schemaVersion: Int
    let months: [Month]
  }

  private struct Kind: Hashable {
    let month: CalendarMonth?
    let currency: Currency
    let type: InvoiceType
  }

  private func summary(_ fixture: ProgramFixture, _ arguments: [String]) async throws -> Summary {
    let ending = try await fixture.start(["invoices", "summary", "--json"] + arguments).ending()
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    return try JSONDecoder().decode(Summary.self, from: Data(ending.output.utf8))
  }

  /// The same sums, of the server's own invoices.
  private func sums(of invoices: [Invoice]) throws -> [Kind: Summary.Month] {
    try Dictionary(grouping: invoices) { invoice in
      Kind(
        month: invoice.issueDate.map(CalendarMonth.init(of:)), currency: invoice.currency,
        type: invoice.type)
    }.mapValues { invoices in
      let first = try #require(invoices.first)
      let unpaid = invoices.filter { [.open, .partiallyPaid].contains($0.status) }
      return Summary.Month(
        month: first.issueDate.map(CalendarMonth.init(of:)), currency: first.currency,
        type: first.type, count: invoices.count,
        total: try #require(ExactDecimal.sum(invoices.map(\.total))),
        amountDue: try #require(ExactDecimal.sum(unpaid.compactMap(\.amountDue))))
    }
  }

  private func check(_ summary: Summary, _ invoices: [Invoice]) throws {
    #expect(!summary.months.isEmpty && summary.schemaVersion == 1)
    let wanted = try sums(of: invoices)
    #expect(summary.months.count == wanted.count)
    for month in summary.months {
      #expect(month == wanted[Kind(month: month.month, currency: month.currency, type: month.type)])
    }
  }

  @Test(
    "summary adds up the server's invoices by month, currency and type, and filters like a list")
  func summary() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 300, seed: 3) }
    let none = try await fixture.run("invoices", "summary")
    #expect(none.status == 0 && none.output.isEmpty)
    #expect(none.errors == "No invoices are stored; fetch them with: appcore sync invoices\n")
    #expect(try await fixture.run("login").status == 0)
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let served = fixture.served().filter { $0.status != .void && $0.status != .deleted }
    let whole = try await summary(fixture, [])
    try check(whole, served)
    let months = whole.months.compactMap(\.month)
    #expect(months == months.sorted(by: >))

    let party = try #require(served.first)
    let name = try #require(party.contact.name)
    let id = try #require(party.contact.id)
    try check(try await summary(fixture, ["--contact", id]), served.filter { $0.contact.id == id })
    let found = try await fixture.run("invoices", "list", "--contact", name.uppercased(), "--json")
    #expect(found.status == 0 && found.output.contains(party.id))
    let day = try #require(party.issueDate)
    try check(
      try await summary(fixture, ["--from", "\(day)", "--status", "\(party.status.rawValue)"]),
      served.filter {
        ($0.issueDate ?? day) >= day && $0.issueDate != nil && $0.status == party.status
      })

    let text = try await fixture.run("invoices", "summary")
    #expect(text.output.hasPrefix("MONTH"))
    #expect(text.output.split(separator: "\n").count == whole.months.count + 1)
    #expect(try await fixture.run("invoices", "summary", "--from", "soon").status == 64)
  }
}
