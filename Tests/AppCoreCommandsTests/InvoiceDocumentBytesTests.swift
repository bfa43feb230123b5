import Models
import Testing

@testable import Documents
@testable import Storage

/// The JSON of lists and exports is the same, to the byte, as that of single documents.
@Suite(.timeLimit(.minutes(10))) struct InvoiceDocumentBytesTests {
  /// Makes values of all shapes; the same seed makes the same ones (Knuth's linear congruential
  /// generator).
  private struct Shapes {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }

    mutating func optional<Value>(_ make: (inout Shapes) -> Value?) -> Value? {
      below(3) == 0 ? nil : make(&self)
    }

    mutating func list<Value>(_ make: (inout Shapes) -> Value) -> [Value] {
      (0..<below(4)).map { _ in make(&self) }
    }

    mutating func text() -> String {
      let parts = [
        "", "a", "plain text of some length, as people write", "\"quoted\"", "back\\slash", "tab\t",
        "line\nbreak\r", "\u{1}\u{8}\u{C}\u{1F}", "é", "e\u{301}", "日本", "👨‍👩‍👧", "/", "\u{7F}",
        "\u{2028}", "\0",
      ]
      return list { $0.below(2) == 0 ? parts[$0.below(parts.count)] : parts[2] }.joined()
    }

    mutating func decimal() -> ExactDecimal {
      let texts = [
        "0", "-0.00", "1", "-12.50", "0.0000001", "99999999999999999999999999999999999999",
        "119.00",
        "100", "19.0", "7.5",
      ]
      return ExactDecimal(texts[below(texts.count)]) ?? .zero
    }

    mutating func day() -> CalendarDate? { CalendarDate(daysSinceEpoch: below(40_000) - 10_000) }

    mutating func instant() -> Timestamp {
      let second = Int64(below(2_000_000_000) - 500_000_000)
      let fractions: [Int64] = [0, 1, 1_000, 999_999, 120_000, 45_600]
      return Timestamp(
        microsecondsSinceEpoch: second * 1_000_000 + fractions[below(fractions.count)])
    }

    mutating func party() -> Party {
      Party(
        id: optional { $0.text() }, name: optional { $0.text() }, email: optional { $0.text() },
        taxNumber: optional { $0.text() },
        address: optional { shapes in
          PostalAddress(
            lines: shapes.list { $0.text() }, city: shapes.optional { $0.text() },
            postalCode: shapes.optional { $0.text() }, region: shapes.optional { $0.text() },
            country: shapes.optional { $0.text() })
        })
    }

    mutating func line() -> InvoiceLine {
      var line = InvoiceLine(
        id: optional { $0.text() }, description: optional { $0.text() },
        quantity: optional { $0.decimal() }, unitAmount: optional { $0.decimal() },
        taxType: optional { ["A", "B"][$0.below(2)] }, taxAmount: optional { $0.decimal() },
        lineAmount: optional { $0.decimal() }, accountCode: optional { $0.text() })
      line.discountAmount = optional { $0.decimal() }
      line.taxRate = optional { $0.decimal() }
      return line
    }

    mutating func invoice() -> Invoice {
      var invoice = Invoice(
        id: text(), type: InvoiceType.allCases[below(InvoiceType.allCases.count)],
        status: InvoiceStatus.allCases[below(InvoiceStatus.allCases.count)], rawStatus: text(),
        currency: Currency(code: ["EUR", "JPY", "TND"][below(3)]) ?? .placeholder,
        total: decimal())
      invoice.number = optional { $0.text() }
      invoice.contact = party()
      invoice.issueDate = optional { $0.day() }
      invoice.dueDate = optional { $0.day() }
      invoice.periodStart = optional { $0.day() }
      invoice.periodEnd = optional { $0.day() }
      invoice.updatedAt = optional { $0.instant() }
      invoice.version = optional { Int64($0.below(1_000)) - 500 }
      invoice.lineTotal = optional { $0.decimal() }
      invoice.allowanceTotal = optional { $0.decimal() }
      invoice.chargeTotal = optional { $0.decimal() }
      invoice.subtotal = optional { $0.decimal() }
      invoice.totalTax = optional { $0.decimal() }
      invoice.amountPaid = optional { $0.decimal() }
      invoice.amountCredited = optional { $0.decimal() }
      invoice.roundingAmount = optional { $0.decimal() }
      invoice.amountDue = optional { $0.decimal() }
      invoice.reference = optional { $0.text() }
      invoice.orderNumber = optional { $0.text() }
      invoice.linesIncludeTax = optional { $0.below(2) == 0 }
      invoice.lines = list { $0.line() }
      addParts(to: &invoice)
      return invoice
    }

    private mutating func addParts(to invoice: inout Invoice) {
      invoice.taxBreakdown = list { shapes in
        TaxSubtotal(
          name: shapes.optional { $0.text() }, rate: shapes.optional { $0.decimal() },
          taxableAmount: shapes.optional { $0.decimal() }, taxAmount: shapes.decimal())
      }
      invoice.payments = list { shapes in
        Payment(
          id: shapes.optional { $0.text() }, date: shapes.optional { $0.day() },
          amount: shapes.decimal(), reference: shapes.optional { $0.text() })
      }
      invoice.attachments = list { shapes in
        AttachmentReference(
          id: shapes.optional { $0.text() }, fileName: shapes.optional { $0.text() },
          mediaType: shapes.optional { $0.text() }, url: shapes.optional { $0.text() })
      }
      invoice.ownParty = optional { $0.party() }
      invoice.allowancesAndCharges = list { shapes in
        AllowanceCharge(
          id: shapes.optional { $0.text() }, isCharge: shapes.below(2) == 0,
          amount: shapes.decimal(), reason: shapes.optional { $0.text() })
      }
    }
  }

  @Test("the bytes are those of the document, for invoices of all shapes")
  func sameBytes() throws {
    var shapes = Shapes(state: 2_026)
    for number in 0..<2_000 {
      let stored = StoredInvoice(
        account: shapes.text(), invoice: shapes.invoice(),
        deletedAt: shapes.optional { $0.instant() }, deletedReason: shapes.optional { $0.text() },
        syncedAt: shapes.instant())
      for withLines in [true, false] {
        let json = String(
          decoding: InvoiceDocumentBytes.bytes(of: stored, withLines: withLines), as: UTF8.self)
        let document = JSONText.encode(InvoiceDocument(stored, withLines: withLines))
        try #require(
          json == document && json.utf8.elementsEqual(document.utf8), "invoice \(number)")
      }
    }
  }
}
