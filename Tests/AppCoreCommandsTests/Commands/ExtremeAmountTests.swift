import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

/// Amounts that no invoice should have end no command.
@Suite(.timeLimit(.minutes(10))) struct ExtremeAmountTests {
  private static let amounts = [
    "0", "0.01", "-0.01", "1e20", "-1e20", "1e37", "99999999999999999999999999999999999999",
    "-99999999999999999999999999999999999999", "1e-38", "-1e-38",
    "0.99999999999999999999999999999999999999",
  ]

  /// Returns an invoice for each pair of amounts, as a server may send them.
  private static func invoices() throws -> [Invoice] {
    let days = ["0001-01-01", "2024-05-01", "9999-12-31"]
    var invoices: [Invoice] = []
    for total in amounts {
      for paid in amounts {
        let number = invoices.count
        var invoice = try SampleRecords.invoice(
          "i\(number)", contact: Party(name: "C\(number % 7)"), total,
          ["EUR", "JPY", "TND"][number % 3],
          type: InvoiceType.allCases[number % InvoiceType.allCases.count],
          status: number.isMultiple(of: 2) ? .partiallyPaid : .open, issued: days[number / 2 % 3],
          due: days[number / 3 % 3])
        invoice.amountPaid = ExactDecimal(paid)
        invoice.amountDue = invoice.total.subtracting(invoice.amountPaid ?? .zero)
        (invoice.subtotal, invoice.totalTax) = (invoice.total, invoice.amountPaid)
        invoice.version = number.isMultiple(of: 2) ? .max : .min
        invoice.lines = [
          InvoiceLine(
            quantity: invoice.amountPaid, unitAmount: invoice.total, taxAmount: invoice.total,
            lineAmount: invoice.amountPaid)
        ]
        invoice.payments = [InvoicePayment(date: CalendarDate(days[0]), amount: invoice.total)]
        invoices.append(invoice)
      }
    }
    return invoices
  }

  // Edge case 55
  @Test("every command shows and sums amounts of any size and ratio")
  func commands() async throws {
    let fixture = try CommandFixture()
    try await fixture.store(try Self.invoices())
    var commands = [
      ["report", "--html", "-"], ["invoices", "list"], ["invoices", "show", "i3"],
      ["invoices", "list", "--json"], ["invoices", "show", "i3", "--json"],
      ["invoices", "export"], ["invoices", "export", "--format", "json"],
      ["invoices", "export", "--format", "jsonl"], ["invoices", "summary", "--json"],
      ["invoices", "summary"],
    ]
    for grouping in ["month", "quarter", "contact", "status"] {
      commands.append(["invoices", "summary", "--by", grouping])
    }
    for command in commands {
      for columns in [nil, 40, 200] {
        let ending = await fixture.run(command, columns: columns)
        #expect(ending.status == .done, "\(command): \(ending.errors)")
        #expect(!ending.output.isEmpty)
        #expect(!ending.output.contains("nan%") && !ending.output.contains("inf%"))
      }
    }
  }
}
