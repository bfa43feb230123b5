import Foundation
import HTTPTypes
import Networking
import Testing

@testable import AppCore

/// The guesses of a proposal for which the names of members alone do not suffice.
@Suite(.timeLimit(.minutes(10))) struct ProposalGuessTests {
  /// Returns a proposal, and its lines without indentation and comments.
  private func proposal(
    _ page: String, at path: String = "invoices", _ headers: [String: String] = [:]
  ) throws -> (yaml: String, lines: [String]) {
    var fields: HTTPFields = [.contentType: "application/json"]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let url = try #require(URL(string: "https://api.acme.example/v1/" + path))
    let proposal = try ProposedDescription(
      name: "acme", page: Array(page.utf8), url: url, fields: fields, scheme: .bearer)
    let completed = proposal.yaml.replacing("# TO COMPLETE: id: PATH", with: "id: status")
    if proposal.missing.allSatisfy({ $0 == "id" }) { _ = try CoreConfiguration(yaml: completed) }
    let lines = proposal.yaml.split(separator: "\n").map {
      $0.split(separator: "  #")[0].trimmingCharacters(in: .whitespaces)
    }
    return (proposal.yaml, lines)
  }

  private static let start = #""id": "a", "status": "open", "currency": "EUR""#

  @Test(
    "the total is the amount that net and tax give",
    arguments: [
      (
        #"{"gross_amount": 572890, "tax_amount": 108849, "amount": 681739, "amount_due": 681739}"#,
        [
          "subtotal: gross_amount", "totalTax: tax_amount", "total: amount",
          "amountDue: amount_due",
        ]
      ),
      (
        #"{"netto": "100.50", "mwst": "19.10", "brutto": "119.60", "offen": "0.00"}"#,
        ["subtotal: netto", "totalTax: mwst", "total: brutto", "money: decimal-string"]
      ),
      (
        // Nothing is taxed, but the total is what is paid and what is due.
        #"{"amount": 5.5, "payable": 7.25, "paid": 3, "balance": 4.25}"#,
        ["total: payable", "amountPaid: paid", "amountDue: balance"]
      ),
      (
        // More cannot be due than the total.
        #"{"total": 5.5, "invoice_amount": 7.25, "balance": 7}"#,
        ["total: invoice_amount", "amountDue: balance"]
      ),
      (
        // The same sum of other numbers is no sign of a total.
        #"{"number": 7, "tax": 1, "position": 8, "amount": 20}"#,
        ["number: number", "totalTax: tax", "total: amount"]
      ),
    ])
  func amounts(row: String, expected: [String]) throws {
    let (yaml, lines) = try proposal("[{\(Self.start), \(row.dropFirst())]")
    for line in expected { #expect(lines.contains(line), "\(line)\n\(yaml)") }
  }

  @Test("a sum that one row contradicts decides nothing")
  func contradictedSum() throws {
    let (yaml, lines) = try proposal(
      """
      [{\(Self.start), "gross": 10.50, "tax": 1.50, "amount": 12.00},
       {\(Self.start), "gross": 10.50, "tax": 1.50, "amount": 11.00}]
      """)
    #expect(lines.contains("total: gross"), "\(yaml)")
  }

  @Test(
    "a list whose page has fewer rows than stated is read on, and says what is a guess",
    arguments: [
      (
        "invoices", ["X-Total-Count": "66"], "",
        ["count: { header: X-Total-Count }", "paging: { style: page, parameter: page }"], true
      ),
      (
        "invoices?page=1&per_page=1", ["x-total-count": "66", "x-total-pages": "66"], "",
        [
          "count: { header: x-total-count }",
          "paging: { style: page, parameter: page, total: { header: x-total-pages }, "
            + "sizeParameter: per_page, size: 1 }",
        ], false
      ),
      (
        "invoices",
        ["Link": "<https://api.acme.example/v1/invoices?p=2>; rel=\"next\"", "X-Total": "66"], "",
        ["count: { header: X-Total }", "paging: { style: link }"], false
      ),
      (
        "invoices?skip=0", [:], #", "total_count": 66"#,
        ["count: total_count", "paging: { style: offset, parameter: skip }"], true
      ),
      ("invoices", [:], #", "more": true"#, ["paging: { style: page, parameter: page }"], true),
      (
        "invoices", ["X-Total-Count": "1"], "",
        ["count: { header: X-Total-Count }", "paging: { style: none }"], false
      ),
    ] as [(String, [String: String], String, [String], Bool)])
  func statedCount(
    path: String, headers: [String: String], member: String, expected: [String], isWarned: Bool
  ) throws {
    // Without an identifier, a mark of more rows leads to no cursor.
    let row = #"{"number": {"x": 1}, "status": "open", "currency": "EUR", "total": "1.50"}"#
    let (yaml, lines) = try proposal(#"{"data": [\#(row)]\#(member)}"#, at: path, headers)
    for line in expected { #expect(lines.contains(line), "\(line)\n\(yaml)") }
    #expect(yaml.contains("# WARNING: the page ") == isWarned, "\(yaml)")
  }

  @Test("a member is a date or an amount, never both")
  func dateOrAmount() throws {
    func lines(_ due: String) throws -> [String] {
      try proposal("[{\(Self.start), \"total\": 12.5, \"due\": \(due)}]").lines
    }
    let date = try lines("1739000000000")
    #expect(date.contains("dueDate: { path: due, form: epoch-milliseconds }"))
    #expect(!date.contains { $0.hasPrefix("amountDue") })
    let day = try lines("\"20240531\"")
    #expect(day.contains { $0.hasPrefix("dueDate") } && !day.contains { $0.hasPrefix("amountDue") })
    let amount = try lines("12.5")
    #expect(amount.contains("amountDue: due") && !amount.contains { $0.hasPrefix("dueDate") })
    let paid = try proposal("[{\(Self.start), \"total\": 12.5, \"paid\": 1739000000}]").lines
    #expect(!paid.contains { $0.hasPrefix("amountPaid") })
    // A name that only amounts have decides.
    let large = try proposal("[{\(Self.start), \"total\": 1739000000}]").lines
    #expect(large.contains("total: total"))
  }

  @Test(
    "the address names the kind of the records",
    arguments: [
      ("credit_notes", "invoices:", "type: { value: credit-note }"),
      ("creditnotes", "invoices:", "type: { value: credit-note }"),
      ("Credit-Notes.json", "invoices:", "type: { value: credit-note }"),
      ("bills", "invoices:", "type: { value: bill }"),
      ("customer_invoices", "invoices:", "type: { value: invoice }"),
      ("billing_contacts", "contacts:", "id: id"), ("clients", "contacts:", "id: id"),
    ])
  func address(path: String, resource: String, line: String) throws {
    let (yaml, lines) = try proposal("[{\(Self.start), \"total\": \"1.50\"}]", at: path)
    #expect(lines.contains(resource) && lines.contains(line), "\(yaml)")
  }

  @Test("rows of payments become a list of payments")
  func payments() throws {
    let page = """
      [{"id": "p1", "invoice_id": "a", "amount": "5.00", "currency": "EUR", "paid_on": "2024-05-31",
        "state": "succeeded", "method": "card", "customer": {"id": "c", "name": "Ada Lovelace"}},
       {"id": "p2", "invoice_id": "b", "amount": "6.00", "currency": "EUR", "paid_on": "2024-06-01",
        "state": "bounced", "method": "card", "customer": {"id": "c", "name": "Ada Lovelace"}}]
      """
    for path in ["payments", "customer-payments"] {
      let (yaml, lines) = try proposal(page, at: path)
      let expected = [
        "payments:", "money: decimal-string", "id: id", "type: { value: receipt }",
        "succeeded: completed", "bounced: failed", "currency: currency", "amount: amount",
        "date: paid_on", "method: method", "contactID: customer.id",
        "contactName: customer.name",
        "allocations: { path: ., fields: { invoiceID: invoice_id, amount: amount } }",
      ]
      for line in expected { #expect(lines.contains(line), "\(line)\n\(yaml)") }
      #expect(!lines.contains("invoices:"))
      #expect(yaml.hasPrefix("# This looks like a list of payments.\n"))
    }
    let invoices = try proposal(
      "[{\(Self.start), \"total\": 1.5, \"due_date\": \"2024-05-31\"}]", at: "payments"
    ).lines
    #expect(invoices.contains("invoices:"))
  }

  @Test("an amount has no form of its own if the one of the list reads its values")
  func formOfList() throws {
    let thousands = try proposal(
      "[{\(Self.start), \"total\": \"1,234.50\", \"remaining\": \"4.50\"}]"
    ).lines
    #expect(thousands.contains("money: comma-thousands"))
    #expect(thousands.contains("amountDue: remaining"))
    let numbers = try proposal("[{\(Self.start), \"total\": 12.5, \"balance\": \"0.00\"}]").lines
    #expect(numbers.contains("amountDue: balance"))
    let cents = try proposal("[{\(Self.start), \"total_cents\": 1250, \"balance\": 12}]").lines
    #expect(cents.contains("amountDue: { path: balance, form: decimal }"))
  }

  @Test("a list without a total leads to detail, and every proposal to the guide")
  func comments() throws {
    let (missing, _) = try proposal("[{\(Self.start)}]", at: "invoices")
    #expect(missing.contains("# detail: { path: \"/invoices/{id}\" }"))
    let (yaml, _) = try proposal("[{\(Self.start), \"total\": 1.5}]")
    #expect(!yaml.contains("detail"))
    let guide = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Modules/AppCore/AppCore.docc/DescribedProviders.md"),
      encoding: .utf8)
    for section in ["Several lists of a kind", "Payments inside invoices"] {
      #expect(yaml.contains(section) && guide.contains("\n## \(section)\n"))
    }
    #expect(guide.contains("`detail`"))
  }
}
