import Models

/// The invoices that a list request asks for, and their order.
struct LedgerQuery: Sendable, Equatable {
  /// Counted from 1.
  var page = 1
  var pageSize = 100
  var newestFirst = false
  /// The number of decimals of a unit amount.
  var unitDecimals = 2
  /// Only invoices that changed at this instant or later.
  var modifiedSince: Timestamp?
}

/// One page of a list, with the size of the whole.
struct LedgerPage: Sendable {
  var query: LedgerQuery
  var invoices: [LedgerInvoice]
  var itemCount: Int

  var pageCount: Int { (itemCount + query.pageSize - 1) / query.pageSize }
}
