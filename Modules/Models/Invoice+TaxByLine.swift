extension Invoice {
  /// The tax by the provider's codes, summed from the lines.
  ///
  /// It is for invoices without a ``taxBreakdown`` of their own: Xero, for example, states code and
  /// tax of each line but no breakdown. The sums are exact, in the order in which the codes first
  /// appear in the lines. The rate is `nil`, because no line states it. The taxable amount is
  /// without tax, and `nil` if it is unknown whether the lines include tax. The result is empty if
  /// a line with an amount lacks its code or its tax.
  public var taxByLine: [TaxSubtotal] {
    var parts: [TaxSubtotal] = []
    var positions: [String: Int] = [:]
    for line in lines {
      // A line with text only has no tax.
      if line.lineAmount == nil, line.taxAmount == nil { continue }
      guard let amount = line.lineAmount, let code = line.taxType, let tax = line.taxAmount
      else { return [] }
      let position = positions[code] ?? parts.count
      if position == parts.count {
        positions[code] = position
        parts.append(
          TaxSubtotal(
            name: code, taxableAmount: linesIncludeTax.map { _ in .zero }, taxAmount: .zero))
      }
      let net = linesIncludeTax == true ? amount.subtracting(tax) : amount
      guard let net, let taxSum = parts[position].taxAmount.adding(tax) else { return [] }
      parts[position].taxAmount = taxSum
      guard let taxable = parts[position].taxableAmount else { continue }
      guard let netSum = taxable.adding(net) else { return [] }
      parts[position].taxableAmount = netSum
    }
    return parts
  }
}
