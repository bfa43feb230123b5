import Models

/// A transaction of a journal: postings in one currency, whose amounts add up to zero.
struct Transaction {
  /// A fact about a transaction, which programs can query.
  enum Tag: String, CaseIterable {
    /// The number of the document.
    case inv
    /// The provider's identifier of a payment.
    case payment
    /// The credit note that is set against the document.
    case credit
    /// The document that a credit note is set against.
    case against
    /// The mark of a day that the provider does not state.
    case undated
    /// The day payment of the document is due.
    case due
    case status
    /// The provider's identifier of the document.
    case id
    /// The account of appcore.
    case account
  }

  var day: CalendarDate
  /// True if somebody should look at it.
  var isDoubtful = false
  var note: String
  var tags: [(Tag, String)] = []
  var postings: [Posting] = []
}

/// An amount in an account; above zero for a debit.
struct Posting {
  /// The account by its role, before it has a name.
  struct Place: Hashable {
    var role: JournalAccounts.Role
    /// The code of a line, or the name of a tax.
    var value: String?
  }

  var place: Place
  var amount: DecimalSum
  /// The text of the line.
  var text: String?
}

extension DecimalSum {
  static func + (left: DecimalSum, right: DecimalSum) -> DecimalSum {
    var sum = left
    sum.add(right)
    return sum
  }

  static func - (left: DecimalSum, right: DecimalSum) -> DecimalSum { left + right.negated }

  /// The sum without its sign.
  var magnitude: DecimalSum { self < .zero ? negated : self }

  /// The largest difference that counts as rounding: 0.05.
  static let tolerance = DecimalSum(ExactDecimal(coefficient: 5, scale: 2) ?? .zero)
}
