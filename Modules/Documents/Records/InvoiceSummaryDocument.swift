package import Models
package import Storage

/// The document that `appcore invoices summary` prints by month; sums are strings.
package struct InvoiceSummaryDocument: Encodable {
  let schemaVersion = 1
  let months: [Month]

  package init(_ totals: [MonthlyTotals]) { months = totals.map(Month.init) }

  struct Month: Encodable {
    let account: String
    /// `null` for invoices without an issue date.
    let month: Nullable<CalendarMonth>
    let currency: Currency
    let type: InvoiceType
    let count: Int
    let total: DecimalSum
    let amountDue: DecimalSum

    init(_ totals: MonthlyTotals) {
      account = totals.account
      month = Nullable(totals.month)
      currency = totals.currency
      type = totals.type
      count = totals.count
      total = totals.total
      amountDue = totals.amountDue
    }
  }
}

/// The document that `appcore invoices summary --by` prints for other values than months.
package struct InvoiceGroupsDocument: Encodable {
  let schemaVersion = 1
  let by: String
  let groups: [Group]

  package init(_ totals: [GroupTotals], by grouping: InvoiceGrouping) {
    by = grouping.rawValue
    groups = totals.map(Group.init)
  }

  struct Group: Encodable {
    let account: String
    /// Each is omitted unless the invoices are grouped by it.
    var quarter: Nullable<CalendarQuarter>?
    var contact: Contact?
    var status: InvoiceStatus?
    let currency: Currency
    let type: InvoiceType
    let count: Int
    let total: DecimalSum
    let amountDue: DecimalSum

    init(_ totals: GroupTotals) {
      account = totals.account
      switch totals.group {
      case .month: break
      case .quarter(let found): quarter = Nullable(found)
      case .contact(let id, let name): contact = Contact(id: Nullable(id), name: Nullable(name))
      case .status(let found): status = found
      }
      currency = totals.currency
      type = totals.type
      count = totals.count
      total = totals.total
      amountDue = totals.amountDue
    }
  }

  struct Contact: Encodable {
    let id: Nullable<String>
    let name: Nullable<String>
  }
}

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

  struct Totals: Encodable {
    let account: String
    let currency: Currency
    let type: InvoiceType
    let count: Int
    let amountDue: DecimalSum
    let buckets: [Bucket]

    init(_ totals: AgeingTotals) {
      account = totals.account
      currency = totals.currency
      type = totals.type
      count = totals.count
      amountDue = totals.amountDue
      buckets = totals.buckets.map {
        Bucket(days: $0.age.rawValue, count: $0.count, amountDue: $0.amountDue)
      }
    }
  }

  struct Bucket: Encodable {
    /// The days since the due date, such as `31-60`.
    let days: String
    let count: Int
    let amountDue: DecimalSum
  }
}
