import Models

/// One line item of an invoice.
struct LedgerLine: Sendable, Hashable {
  var id: String
  var itemCode: String?
  var description: String?
  var unitAmount: ExactDecimal?
  var taxType: String?
  var taxAmount: ExactDecimal?
  var lineAmount: ExactDecimal?
  var accountCode: String?
  var quantity: ExactDecimal?
  var discountRate: ExactDecimal?
}
