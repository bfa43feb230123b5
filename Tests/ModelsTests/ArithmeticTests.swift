import Models
import Testing

/// Sums that should come out (EN 16931 BR-CO-10 to -17), and decimal arithmetic.
@Suite(.timeLimit(.minutes(10))) struct ArithmeticTests {
  private func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  private func sound() throws -> Invoice {
    var invoice = Invoice(
      id: "a", type: .invoice, status: .open, rawStatus: "o",
      currency: try #require(Currency(code: "EUR")), subtotal: try decimal("100.00"),
      totalTax: try decimal("19.00"), total: try decimal("119.00"),
      amountPaid: try decimal("19.00"), amountDue: try decimal("100.00"),
      lines: [
        InvoiceLine(lineAmount: try decimal("60.00")),
        InvoiceLine(lineAmount: try decimal("45.00")),
      ])
    invoice.lineTotal = try decimal("105.00")
    invoice.allowanceTotal = try decimal("7.00")
    invoice.chargeTotal = try decimal("2.00")
    invoice.allowancesAndCharges = [
      AllowanceCharge(isCharge: false, amount: try decimal("4.50")),
      AllowanceCharge(isCharge: true, amount: try decimal("2.00")),
      AllowanceCharge(isCharge: false, amount: try decimal("2.50")),
    ]
    invoice.taxBreakdown = [
      TaxSubtotal(
        rate: try decimal("19"), taxableAmount: try decimal("100.00"),
        taxAmount: try decimal("19.00"))
    ]
    return invoice
  }

  @Test("an invoice with right sums, or without any, has no findings")
  func none() throws {
    #expect(try sound().arithmeticFindings.isEmpty)
    let bare = Invoice(
      id: "a", type: .invoice, status: .open, rawStatus: "o",
      currency: try #require(Currency(code: "EUR")), total: try decimal("1"))
    #expect(bare.arithmeticFindings.isEmpty)
  }

  /// An invoice whose one line is ten of something for a hundred each.
  private func discounted(_ amount: String, rate: String?, discount: String? = nil) throws
    -> Invoice
  {
    var invoice = try sound()
    var line = InvoiceLine(
      quantity: try decimal("10"), unitAmount: try decimal("100"), lineAmount: try decimal(amount))
    line.discountRate = try rate.map(decimal)
    line.discountAmount = try discount.map(decimal)
    (invoice.lines, invoice.lineTotal, invoice.subtotal) = ([line], try decimal(amount), nil)
    invoice.linesIncludeTax = false
    return invoice
  }

  @Test("a discount explains a line, as a rate, as an amount or as both")
  func discounts() throws {
    #expect(try discounted("1000", rate: nil).arithmeticFindings.isEmpty)
    #expect(try discounted("900.00", rate: "10").arithmeticFindings.isEmpty)
    #expect(try discounted("900.00", rate: nil, discount: "100.0").arithmeticFindings.isEmpty)
    #expect(try discounted("900.00", rate: "10", discount: "0").arithmeticFindings.isEmpty)
    let unexplained = try discounted("900.00", rate: nil).arithmeticFindings
    #expect(
      unexplained.map(\.description)
        == ["PEPPOL-EN16931-R120: 900.00 is stated, 1000 comes out"])
    #expect(try discounted("899.97", rate: "10").arithmeticFindings.map(\.rule) == [.lineAmount])
    var charged = try discounted("1050", rate: nil)
    #expect(charged.arithmeticFindings.map(\.rule) == [.lineAmount])
    charged.lines[0].chargeAmount = try decimal("50")
    #expect(charged.arithmeticFindings.isEmpty)
    // The price may include tax.
    var unknown = try discounted("900.00", rate: nil)
    unknown.linesIncludeTax = nil
    #expect(unknown.arithmeticFindings.isEmpty)
  }

  @Test("what the payer withholds explains the amount due, whichever way it is counted")
  func withheld() throws {
    var invoice = try sound()
    invoice.withheldAmount = try decimal("20.00")
    #expect(invoice.arithmeticFindings.isEmpty)
    invoice.amountDue = try decimal("80.00")
    #expect(invoice.arithmeticFindings.isEmpty)
    invoice.withheldAmount = try decimal("19.99")
    #expect(invoice.arithmeticFindings.map(\.rule) == [.amountDue])
  }

  @Test(
    "a quotient ends where it ends, and is rounded half away from zero where it does not",
    arguments: [
      ("100", "0.5", 20, "200"), ("1", "3", 4, "0.3333"), ("2", "3", 4, "0.6667"),
      ("-2", "3", 4, "-0.6667"), ("2", "-3", 4, "-0.6667"), ("1", "8", 2, "0.13"),
      ("0", "7", 3, "0"), ("1.50", "0.001", 2, "1500"), ("1", "0.0003", 2, "3333.33"),
      ("750", "0.752950", 6, "996.082077"),
    ] as [(String, String, Int, String)])
  func quotient(dividend: String, divisor: String, decimals: Int, result: String) throws {
    let quotient = try decimal(dividend).divided(by: try decimal(divisor), decimals: decimals)
    #expect(quotient?.description == result)
  }

  @Test("a quotient that does not fit is none, or has fewer decimals")
  func largeQuotients() throws {
    #expect(try decimal("1").divided(by: .zero, decimals: 2) == nil)
    #expect(try decimal("1e30").divided(by: try decimal("1e-30"), decimals: 2) == nil)
    let long = try decimal("1e30").divided(by: try decimal("3"), decimals: 20)
    #expect(long?.description == "333333333333333333333333333333.33333333")
  }

  @Test("each broken rule is a finding of its own")
  func rules() throws {
    let wrong: [(ArithmeticFinding.Rule, (inout Invoice) throws -> Void)] = [
      (.lineTotal, { $0.lines[0].lineAmount = try decimal("61.00") }),
      (.allowanceTotal, { $0.allowancesAndCharges[0].amount = try decimal("4.51") }),
      (.chargeTotal, { $0.allowancesAndCharges[1].amount = try decimal("1.99") }),
      (
        .subtotal,
        {
          $0.allowanceTotal = try decimal("6.00")
          $0.allowancesAndCharges = []
        }
      ),
      (.totalTax, { $0.taxBreakdown.append(TaxSubtotal(taxAmount: try decimal("0.01"))) }),
      (
        .total,
        {
          $0.total = try decimal("119.01")
          $0.amountDue = try decimal("100.01")
        }
      ),
      (.amountDue, { $0.roundingAmount = try decimal("0.01") }),
      (.taxAmount, { $0.taxBreakdown[0].rate = try decimal("20") }),
      (
        .lineAmount,
        {
          ($0.lines[0].quantity, $0.lines[0].unitAmount) = (try decimal("2"), try decimal("1"))
          $0.linesIncludeTax = false
        }
      ),
    ]
    for (rule, change) in wrong {
      var invoice = try sound()
      try change(&invoice)
      #expect(invoice.arithmeticFindings.map(\.rule) == [rule])
    }
    #expect(Set(wrong.map(\.0.rawValue)) == Set(ArithmeticFinding.Rule.allCases.map(\.rawValue)))
  }

  @Test("a void, deleted or written-off invoice has nothing due", arguments: InvoiceStatus.allCases)
  func nothingDue(status: InvoiceStatus) throws {
    var invoice = try sound()
    (invoice.status, invoice.amountDue) = (status, .zero)
    let isOver = [.void, .deleted, .writtenOff].contains(status)
    #expect(invoice.arithmeticFindings.map(\.rule) == (isOver ? [] : [.amountDue]))
  }

  @Test(
    "a difference of two hundredths per line is allowed, and lines with tax add up to the total")
  func tolerance() throws {
    var invoice = try sound()
    invoice.lines[0].lineAmount = try decimal("60.04")
    #expect(invoice.arithmeticFindings.isEmpty)
    invoice.lines[0].lineAmount = try decimal("60.05")
    #expect(invoice.arithmeticFindings.count == 1)
    invoice = try sound()
    (invoice.lineTotal, invoice.allowanceTotal, invoice.chargeTotal) = (nil, nil, nil)
    invoice.linesIncludeTax = true
    invoice.lines[0].lineAmount = try decimal("74.00")
    #expect(invoice.arithmeticFindings.isEmpty)
  }

  @Test(
    "half is rounded away from zero",
    arguments: [
      ("1.005", 2, "1.01"), ("-1.005", 2, "-1.01"), ("1.0049", 2, "1.00"), ("2.5", 0, "3"),
      ("0.4", 0, "0"), ("1.2", 2, "1.2"),
      ("99999999999999999999.999", 2, "100000000000000000000.00"),
    ])
  func rounding(text: String, scale: Int, expected: String) throws {
    #expect(try decimal(text).rounded(toScale: scale).description == expected)
  }

  @Test("a product is exact, or absent")
  func products() throws {
    #expect(try decimal("1.05").multiplied(by: decimal("-0.20"))?.description == "-0.2100")
    let large = try decimal("99999999999999999999")
    #expect(large.multiplied(by: large) == nil)
  }

  @Test("minor units become amounts with the decimals of their currency")
  func minorUnits() throws {
    for (code, expected) in [("EUR", "12.34 EUR"), ("JPY", "1234 JPY"), ("TND", "1.234 TND")] {
      let currency = try #require(Currency(code: code))
      #expect(Money(minorUnits: 1_234, currency)?.description == expected)
    }
    #expect(Money(minorUnits: Int128.max, try #require(Currency(code: "EUR"))) == nil)
  }
}
