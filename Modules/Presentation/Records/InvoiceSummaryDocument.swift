import Models
package import Storage

/// The document that `appcore invoices summary` prints; sums are strings.
package struct InvoiceSummaryDocument: Encodable {
  let schemaVersion = 1
  /// The sums by month, which have no `by`; other sums are in `groups`.
  private(set) var months: [Group]?
  private(set) var by: String?
  private(set) var groups: [Group]?
  /// The currency of all sums, if they are converted, and the invoices that they leave out.
  private(set) var convertedTo: Currency?
  private(set) var withoutRate: [WithoutRate]?

  package init(_ totals: [GroupTotals], by grouping: InvoiceGrouping) {
    let sums = totals.map(Group.init)
    if grouping == .month {
      months = sums
    } else {
      (by, groups) = (grouping.rawValue, sums)
    }
  }

  package init(_ converted: ConvertedTotals<GroupTotals>, by grouping: InvoiceGrouping) {
    self.init(converted.totals, by: grouping)
    (convertedTo, withoutRate) = (
      converted.currency, converted.withoutRate.map(WithoutRate.init)
    )
  }

  struct WithoutRate: Encodable {
    let account: String
    let currency: Currency
    let type: InvoiceType
    let count: Int

    init(_ invoices: UnconvertedInvoices) {
      (account, currency) = (invoices.account, invoices.currency)
      (type, count) = (invoices.type, invoices.count)
    }
  }

  struct Group: Encodable {
    let account: String
    /// Each is omitted unless the invoices are grouped by it, and `null` for invoices without it.
    private(set) var month: Nullable<CalendarMonth>?
    private(set) var quarter: Nullable<CalendarQuarter>?
    private(set) var year: Nullable<Int>?
    private(set) var contact: Contact?
    private(set) var status: InvoiceStatus?
    let currency: Currency
    let type: InvoiceType
    let count: Int
    let net: Nullable<DecimalSum>
    let tax: Nullable<DecimalSum>
    let total: DecimalSum
    let amountDue: DecimalSum

    init(_ totals: GroupTotals) {
      account = totals.account
      (currency, type, count) = (totals.currency, totals.type, totals.count)
      (net, tax) = (Nullable(totals.net), Nullable(totals.tax))
      (total, amountDue) = (totals.total, totals.amountDue)
      switch totals.group {
      case .month(let found): month = Nullable(found)
      case .quarter(let found): quarter = Nullable(found)
      case .year(let found): year = Nullable(found)
      case .contact(let id, let name): contact = Contact(id: Nullable(id), name: Nullable(name))
      case .status(let found): status = found
      case .all: break
      }
    }
  }

  struct Contact: Encodable {
    let id: Nullable<String>
    let name: Nullable<String>
  }
}

/// The document that `appcore invoices summary --by tax-rate` prints.
package struct TaxTotalsDocument: Encodable {
  let schemaVersion = 1
  let taxes: [Totals]
  private(set) var convertedTo: Currency?
  private(set) var withoutRate: [InvoiceSummaryDocument.WithoutRate]?

  package init(_ totals: [TaxTotals]) { taxes = totals.map(Totals.init) }

  package init(_ converted: ConvertedTotals<TaxTotals>) {
    self.init(converted.totals)
    (convertedTo, withoutRate) = (
      converted.currency, converted.withoutRate.map(InvoiceSummaryDocument.WithoutRate.init)
    )
  }

  struct Totals: Encodable {
    let account: String
    let name: Nullable<String>
    /// The rate in percent.
    let rate: Nullable<ExactDecimal>
    let currency: Currency
    let type: InvoiceType
    let count: Int
    let net: Nullable<DecimalSum>
    let tax: Nullable<DecimalSum>

    init(_ totals: TaxTotals) {
      account = totals.account
      (name, rate) = (Nullable(totals.tax.name), Nullable(totals.tax.rate))
      (currency, type, count) = (totals.currency, totals.type, totals.count)
      (net, tax) = (Nullable(totals.net), Nullable(totals.taxAmount))
    }
  }
}
