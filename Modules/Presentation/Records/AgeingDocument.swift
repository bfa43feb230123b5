package import Models
package import Storage

/// The document that `appcore invoices summary --ageing` prints.
package struct AgeingDocument: Encodable {
  let schemaVersion = 1
  /// The day from which ages are counted.
  let asOf: CalendarDate
  let ageing: [Totals]

  package init(_ totals: [AgeingTotals], asOf day: CalendarDate) {
    asOf = day
    ageing = totals.map(Totals.init)
  }

  package init(_ totals: [ContactAgeing], asOf day: CalendarDate) {
    asOf = day
    ageing = totals.map(Totals.init)
  }

  struct Totals: Encodable {
    let account: String
    let currency: Currency
    /// A type of invoice, or of payment for money on account; omitted if grouped by contact.
    private(set) var type: String?
    /// Each is omitted unless grouped by contact.
    private(set) var side: String?
    private(set) var contact: Contact?
    let count: Int
    let amountDue: DecimalSum
    let buckets: [Bucket]

    init(_ totals: AgeingTotals) {
      (account, currency, type) = (totals.account, totals.currency, totals.kind.rawValue)
      (count, amountDue) = (totals.count, totals.amountDue)
      buckets = totals.buckets.map(Bucket.init)
    }

    init(_ totals: ContactAgeing) {
      (account, currency) = (totals.account, totals.currency)
      side = totals.side.word
      contact = Contact(id: Nullable(totals.contactID), name: Nullable(totals.contactName))
      (count, amountDue) = (totals.count, totals.amountDue)
      buckets = totals.buckets.map(Bucket.init)
    }
  }

  struct Contact: Encodable {
    let id: Nullable<String>
    let name: Nullable<String>
  }

  struct Bucket: Encodable {
    /// The days since the due date, such as `31-60`.
    let days: String
    let count: Int
    let amountDue: DecimalSum

    init(_ bucket: AgeingBucket) {
      (days, count, amountDue) = (bucket.age.rawValue, bucket.count, bucket.amountDue)
    }
  }
}

extension InvoiceReportSide {
  /// The side in the words of balances.
  package var word: String {
    switch self {
    case .sales: "receivable"
    case .purchases: "payable"
    }
  }
}
