import Models

/// The invoices that a list request selects, and their order.
struct LedgerQuery: Sendable, Equatable {
  /// The number of the page, counted from 1.
  var page = 1
  var pageSize = 100
  var newestFirst = false
  /// The number of decimals of a unit amount.
  var unitDecimals = 2
  /// The instant since which an invoice must have changed to be listed.
  var modifiedSince: Timestamp?
}

/// One page of a list, with the total number of rows.
struct LedgerPage: Sendable {
  var query: LedgerQuery
  var invoices: [LedgerInvoice]
  var itemCount: Int

  var pageCount: Int { (itemCount + query.pageSize - 1) / query.pageSize }
}
