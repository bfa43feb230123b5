/// A sum on an invoice that does not match its parts.
///
/// Real invoices contain such sums: the provider's value is kept, and this reports the difference.
public struct ArithmeticFinding: Sendable, Hashable {
  /// A rule of EN 16931.
  public enum Rule: String, Sendable, CaseIterable {
    /// The sum of the lines' amounts.
    case lineTotal = "BR-CO-10"
    /// The sum of allowances.
    case allowanceTotal = "BR-CO-11"
    /// The sum of charges.
    case chargeTotal = "BR-CO-12"
    /// The total without tax.
    case subtotal = "BR-CO-13"
    /// The total of the tax.
    case totalTax = "BR-CO-14"
    /// The total with tax.
    case total = "BR-CO-15"
    /// The amount due.
    case amountDue = "BR-CO-16"
    /// The tax of one category.
    case taxAmount = "BR-CO-17"
    /// The amount of a line: quantity times price, less the discount, plus the charge.
    case lineAmount = "PEPPOL-EN16931-R120"
  }

  /// The rule.
  public let rule: Rule
  /// The amount that the invoice states.
  public let stated: ExactDecimal
  /// The amount that results from its parts.
  public let computed: ExactDecimal
}

extension ArithmeticFinding: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    "\(rule.rawValue): \(stated) is stated, \(computed) comes out"
  }
}

extension Invoice {
  /// The sums of this invoice that do not add up; empty if all do, or none can be checked.
  ///
  /// The rules are BR-CO-10 to BR-CO-17 of EN 16931, and R120 of Peppol BIS Billing 3.0 for lines.
  /// A rule is skipped if the provider did not send one of its values. A line, and a sum of lines,
  /// may differ by 0.02 of the currency per line, as in R120.
  public var arithmeticFindings: [ArithmeticFinding] {
    ArithmeticCheck(invoice: self).findings
  }
}
