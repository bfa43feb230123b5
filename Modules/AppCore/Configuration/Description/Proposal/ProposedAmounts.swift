import JSONReading
import Models
import Providers

/// The amounts of an invoice that the sums in all sampled rows show.
struct ProposedAmounts {
  /// The member of a field; names decide of the fields that are not here.
  private(set) var members: [String: SampledMember] = [:]
  /// The sum that shows a field, for its comment.
  private(set) var reasons: [String: String] = [:]

  /// Rows with more amounts than this are not searched further, because each triple is tried.
  private static let limit = 40

  init(_ fields: ProposedFields) {
    let amounts = fields.members.filter { !fields.dates.contains($0.path) }
    let columns = amounts.compactMap { AmountColumn($0) }.prefix(Self.limit)
    let parts = columns.filter { !$0.isSettlement }
    func settlement(_ field: String) -> AmountColumn? {
      fields.find(field, as: .money).flatMap { AmountColumn($0.0, isField: true) }
    }
    let (paid, due) = (settlement("amountPaid"), settlement("amountDue"))
    // More cannot be due than the total.
    let candidates = parts.filter { part in due.map { part.covers($0) } ?? true }
    let found = candidates.map { total in
      let taxed = Self.net(and: parts, to: total)
      let isSettled = paid.flatMap { paid in due.map { total.isSum(of: paid, $0) } } ?? false
      let sums = (taxed.map { $0.tax.has("totalTax") ? 4 : 2 } ?? 0) + (isSettled ? 3 : 0)
      return (total: total, taxed: taxed, isSettled: isSettled, sums: sums)
    }
    let order = fields.names["total"] ?? []
    func rank(_ column: AmountColumn) -> Int {
      order.firstIndex(of: column.member.name)
        ?? order.count + (column.has("subtotal") || column.has("totalTax") ? 1 : 0)
    }
    let best = found.filter { $0.sums > 0 || order.contains($0.total.member.name) }.min {
      ($1.sums, rank($0.total)) < ($0.sums, rank($1.total))
    }
    guard let best else { return }
    members["total"] = best.total.member
    if let (net, tax) = best.taxed {
      (members["subtotal"], members["totalTax"]) = (net.member, tax.member)
      reasons["total"] = Self.reason(net, tax)
    } else if best.isSettled, let paid, let due {
      reasons["total"] = Self.reason(paid, due)
    }
  }

  private static func reason(_ left: AmountColumn, _ right: AmountColumn) -> String {
    "; the sum of \"\(left.member.path.prefix(60))\" and \"\(right.member.path.prefix(60))\""
  }

  /// Returns the net amount and the tax whose sum is a total, and whose names fit best.
  private static func net(
    and parts: [AmountColumn], to total: AmountColumn
  ) -> (net: AmountColumn, tax: AmountColumn)? {
    var found: [(net: AmountColumn, tax: AmountColumn)] = []
    for (index, left) in parts.enumerated() {
      for right in parts[(index + 1)...] where total.isSum(of: left, right, isTaxed: true) {
        let isLeft =
          left.has("totalTax") == right.has("totalTax")
          ? !left.has("subtotal") && (right.has("subtotal") || right.covers(left))
          : left.has("totalTax")
        found.append(isLeft ? (right, left) : (left, right))
      }
    }
    func names(_ pair: (net: AmountColumn, tax: AmountColumn)) -> Int {
      (pair.tax.has("totalTax") ? 2 : 0) + (pair.net.has("subtotal") ? 1 : 0)
    }
    return found.max { names($0) < names($1) }
  }
}

/// The amounts of a member in all sampled rows.
private struct AmountColumn {
  let member: SampledMember
  private let cells: [ExactDecimal?]

  /// Creates the amounts; `nil` for a member whose values are other numbers, such as identifiers.
  ///
  /// - Parameter isField: true if the name of the member is one of a field.
  init?(_ member: SampledMember, isField: Bool = false) {
    guard !["rate", "percent"].contains(where: member.name.contains),
      let form = ProposedForm(of: member, as: .money)
    else { return nil }
    // Sums of cents are those of whole numbers, whatever the currency.
    let read = form.word.flatMap(RESTMoneyForm.init(rawValue:))
    let reading = read == .minorUnits ? .decimal : read ?? .decimal
    let cells = member.cells.map { $0.flatMap { reading.amount($0, in: nil) } }
    let isFraction = cells.contains { ($0?.normalized.scale ?? 0) > 0 }
    guard isField || isFraction || member.isNamedAmount else { return nil }
    (self.member, self.cells) = (member, cells)
  }

  func has(_ field: String) -> Bool { ProposedNames.invoice[field]?.contains(member.name) ?? false }

  /// True for an amount that is paid or due, which is no part of the total before tax.
  var isSettlement: Bool {
    has("amountPaid") || has("amountDue") || ["paid", "due"].contains(where: member.name.contains)
  }

  /// True if no amount is smaller than the other one of its row.
  func covers(_ other: AmountColumn) -> Bool {
    zip(cells, other.cells).allSatisfy { own, other in
      guard let own, let other else { return true }
      return own.magnitude >= other.magnitude
    }
  }

  /// True if each amount is the sum of two others, and a row shows it.
  ///
  /// - Parameter isTaxed: true if a sum with zero shows nothing.
  func isSum(of left: AmountColumn, _ right: AmountColumn, isTaxed: Bool = false) -> Bool {
    guard [left, right].allSatisfy({ $0.member.isMinor == member.isMinor }),
      left.member.path != member.path, right.member.path != member.path
    else { return false }
    var isShown = false
    for ((left, right), sum) in zip(zip(left.cells, right.cells), cells) {
      guard let left, let right, let sum else { continue }
      guard left.adding(right) == sum else { return false }
      isShown = isShown || !(isTaxed ? left.isZero || right.isZero : sum.isZero)
    }
    return isShown
  }
}

extension SampledMember {
  /// True if the name is one of amounts, and of nothing else.
  fileprivate var isNamedAmount: Bool {
    ["amount", "total", "gross", "net", "sum", "balance", "price", "tax", "vat"].contains {
      name.contains($0)
    }
  }

  /// True if all values are seconds or milliseconds since 1970 in the years 1990 to 2100.
  ///
  /// A name of amounts excludes it, because large amounts look the same.
  var areInstants: Bool {
    let numbers = values.map(\.number).filter { $0 != 0 }
    return !isNamedAmount && !numbers.isEmpty
      && [1, 1000].contains { unit in
        numbers.allSatisfy { number in
          number.map { (631_152_000...4_102_444_800).contains($0 / unit) } ?? false
        }
      }
  }
}
