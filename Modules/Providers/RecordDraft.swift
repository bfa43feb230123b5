import JSONReading
import Models

extension InvoiceLine {
  /// Returns the classes of a line as one text, such as `Region: North; Class: Garden`; `nil` if
  /// there are none.
  static func tracking(_ classes: [(category: String?, option: String?)]) -> String? {
    let texts = classes.compactMap { category, option in
      option.map { option in category.map { "\($0): \(option)" } ?? option }
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }
}

/// An invoice that is being read, member by member.
struct InvoiceDraft {
  /// The keys under which a provider sends what every invoice must have.
  struct Keys {
    let id: String
    var type: String?
    let currency: String
    let total: String
    /// `nil` if an invoice may lack the instant of its last change.
    var updatedAt: [String]?
  }

  /// Whatever may be absent; the members below replace its own.
  var invoice = Invoice.blank
  var id: String?
  var type: InvoiceType?
  var currency: Currency?
  var total: ExactDecimal?

  /// Returns the invoice.
  ///
  /// - Throws: `JSONError` that names the key of what is missing or unknown.
  consuming func finished(_ keys: Keys, at offset: Int) throws -> Invoice {
    let required = RequiredMembers(offset: offset)
    invoice.id = try required.value(id, [keys.id])
    invoice.type = try required.value(type, [keys.type ?? ""])
    invoice.currency = try required.value(currency, [keys.currency])
    if let key = keys.updatedAt { _ = try required.value(invoice.updatedAt, key) }
    invoice.total = try required.value(total, [keys.total])
    return invoice
  }
}

/// A payment that is being read, member by member.
struct PaymentDraft {
  /// The keys under which a provider sends what every payment must have.
  struct Keys {
    let id: String
    var type: String?
    let currency: [String]
    let amount: String
    /// `nil` if a payment may lack the instant of its last change.
    var updatedAt: String?
  }

  /// Whatever may be absent; the members below replace its own.
  var payment = Payment.blank
  var id: String?
  var type: PaymentType?
  var currency: Currency?
  var amount: ExactDecimal?

  /// Returns the payment.
  ///
  /// - Throws: `JSONError` that names the key of what is missing or unknown.
  consuming func finished(_ keys: Keys, at offset: Int) throws -> Payment {
    let required = RequiredMembers(offset: offset)
    payment.id = try required.value(id, [keys.id])
    payment.type = try required.value(type, [keys.type ?? ""])
    payment.currency = try required.value(currency, keys.currency)
    payment.amount = try required.value(amount, [keys.amount])
    if let key = keys.updatedAt { _ = try required.value(payment.updatedAt, [key]) }
    return payment
  }
}

/// The members of a record that begins at an offset.
private struct RequiredMembers {
  let offset: Int

  func value<Value>(_ value: Value?, _ path: [String]) throws -> Value {
    guard let value else {
      throw JSONError(reason: .unexpected("missing or unknown"), offset: offset, path: path)
    }
    return value
  }
}
