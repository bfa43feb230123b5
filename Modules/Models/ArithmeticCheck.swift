/// The arithmetic rules of EN 16931, applied to one invoice.
struct ArithmeticCheck {
  let invoice: Invoice

  var findings: [ArithmeticFinding] {
    [
      lineTotal, allowanceOrCharge(.allowanceTotal, stated: invoice.allowanceTotal),
      allowanceOrCharge(.chargeTotal, stated: invoice.chargeTotal), subtotal, totalTax, total,
      amountDue,
    ].compactMap(\.self) + taxAmounts + lineAmounts
  }

  private var lineTotal: ArithmeticFinding? {
    let amounts = invoice.lines.compactMap(\.lineAmount)
    guard !amounts.isEmpty, amounts.count == invoice.lines.count else { return nil }
    // If the invoice states no total of the lines, it is computed from the net total: allowances
    // are added and charges subtracted.
    let net = invoice.linesIncludeTax == true ? invoice.total : invoice.subtotal
    let derived = net.flatMap { $0.adding(invoice.allowanceTotal ?? .zero) }
      .flatMap { $0.subtracting(invoice.chargeTotal ?? .zero) }
    return finding(
      .lineTotal, stated: invoice.lineTotal ?? derived, computed: .sum(amounts),
      tolerance: ExactDecimal(coefficient: 2 * Int128(amounts.count), scale: digits))
  }

  private func allowanceOrCharge(
    _ rule: ArithmeticFinding.Rule, stated: ExactDecimal?
  ) -> ArithmeticFinding? {
    let parts = invoice.allowancesAndCharges.filter { $0.isCharge == (rule == .chargeTotal) }
    guard !parts.isEmpty else { return nil }
    return finding(rule, stated: stated, computed: .sum(parts.map(\.amount)))
  }

  private var subtotal: ArithmeticFinding? {
    guard invoice.linesIncludeTax != true, let lineTotal = invoice.lineTotal else { return nil }
    return finding(
      .subtotal, stated: invoice.subtotal,
      computed: lineTotal.subtracting(invoice.allowanceTotal ?? .zero)
        .flatMap { $0.adding(invoice.chargeTotal ?? .zero) })
  }

  private var totalTax: ArithmeticFinding? {
    guard !invoice.taxBreakdown.isEmpty else { return nil }
    return finding(
      .totalTax, stated: invoice.totalTax,
      computed: .sum(invoice.taxBreakdown.map(\.taxAmount)))
  }

  private var total: ArithmeticFinding? {
    guard let subtotal = invoice.subtotal, let tax = invoice.totalTax else { return nil }
    return finding(.total, stated: invoice.total, computed: subtotal.adding(tax))
  }

  private var amountDue: ArithmeticFinding? {
    // Nothing is due on a void, deleted or written-off invoice, whatever its total was.
    guard let paid = invoice.amountPaid,
      ![.void, .deleted, .writtenOff].contains(invoice.status)
    else { return nil }
    let credited = invoice.amountCredited ?? .zero
    let computed = invoice.total.subtracting(paid)?.subtracting(credited)?
      .adding(invoice.roundingAmount ?? .zero)
    // Some providers count what the payer withholds as settled, and others as due.
    if let due = invoice.amountDue, let withheld = invoice.withheldAmount,
      computed?.subtracting(withheld.magnitude) == due
    {
      return nil
    }
    // A credit after payment returns money, so that nothing is due.
    if let due = invoice.amountDue, let computed, due.isZero, computed.isNegative,
      computed.magnitude <= credited
    {
      return nil
    }
    return finding(.amountDue, stated: invoice.amountDue, computed: computed)
  }

  private var taxAmounts: [ArithmeticFinding] {
    invoice.taxBreakdown.compactMap { part in
      guard let rate = part.rate, let taxable = part.taxableAmount,
        let hundredth = ExactDecimal(coefficient: 1, scale: 2)
      else { return nil }
      return finding(
        .taxAmount, stated: part.taxAmount,
        computed: taxable.multiplied(by: rate)?.multiplied(by: hundredth)?
          .rounded(toScale: digits))
    }
  }

  /// The lines whose amount is not the quantity times the price, less the discount.
  private var lineAmounts: [ArithmeticFinding] {
    // Otherwise the price may include tax, and the amount may not.
    guard invoice.linesIncludeTax != nil else { return [] }
    return invoice.lines.compactMap { line in
      guard let quantity = line.quantity, let price = line.unitAmount,
        let stated = line.lineAmount, let gross = quantity.multiplied(by: price),
        let charged = gross.adding(line.chargeAmount ?? .zero)
      else { return nil }
      let part = line.discountRate.flatMap { gross.multiplied(by: $0) }
        .flatMap { ExactDecimal(coefficient: $0.coefficient, scale: $0.scale + 2) }
      // A provider may state the discount as an amount, as a rate, or as both.
      let discounts = [line.discountAmount, part].compactMap(\.self)
      let findings = (discounts.isEmpty ? [.zero] : discounts).map { discount in
        finding(
          .lineAmount, stated: stated,
          computed: charged.subtracting(discount)?.rounded(toScale: max(digits, stated.scale)),
          tolerance: ExactDecimal(coefficient: 2, scale: digits))
      }
      return findings.contains(nil) ? nil : findings[0]
    }
  }

  private var digits: Int { invoice.currency.minorUnitDigits }

  private func finding(
    _ rule: ArithmeticFinding.Rule, stated: ExactDecimal?, computed: ExactDecimal?,
    tolerance: ExactDecimal? = .zero
  ) -> ArithmeticFinding? {
    guard let stated, let computed, let tolerance,
      let difference = stated.subtracting(computed), difference.magnitude > tolerance
    else { return nil }
    return ArithmeticFinding(rule: rule, stated: stated, computed: computed)
  }
}
