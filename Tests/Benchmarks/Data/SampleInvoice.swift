import Models

/// An invoice of the realistic data, as every peer stores it; amounts in hundredths.
struct SampleInvoice {
  struct Line {
    let id: String
    let description: String
    let quantity: Int
    let unitAmount: Int
    let taxAmount: Int
    let accountCode: String

    var amount: Int { quantity * unitAmount }
  }

  let id: String
  let number: String
  let isBill: Bool
  let status: String
  let contact: SampleContact
  let currency: String
  /// Days since 1970.
  let issueDay: Int
  /// Days since 1970.
  let dueDay: Int
  /// Seconds since 1970; larger in each invoice than in the one before.
  let updatedAt: Int
  let reference: String
  let lines: [Line]

  var subtotal: Int { lines.reduce(0) { $0 + $1.amount } }
  var tax: Int { lines.reduce(0) { $0 + $1.taxAmount } }
  var total: Int { subtotal + tax }
  var paid: Int { status == "PAID" ? total : 0 }

  /// Returns a day such as `2024-01-31`.
  static func date(_ day: Int) -> String { CalendarDate(daysSinceEpoch: day)?.description ?? "" }

  /// Returns an amount with its two decimals.
  static func text(_ hundredths: Int) -> String {
    let cents = String(hundredths % 100)
    return "\(hundredths / 100).\(cents.count == 1 ? "0" : "")\(cents)"
  }
}

/// A customer or supplier.
struct SampleContact: Sendable {
  let id: String
  let name: String
  let email: String
}
