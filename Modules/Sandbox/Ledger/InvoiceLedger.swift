import Models
import Synchronization

/// The invoices of one tenant, always ordered by `UpdatedDateUTC`, then by `InvoiceID`.
final class InvoiceLedger: Sendable {
  struct State: Sendable {
    /// The sorted invoices; a changed one moves to the end, since its instant is the latest.
    var rows: [LedgerInvoice]
    /// The number of changes, which makes the text of each change unique.
    var revision = 0
    /// The state of deleted invoices before their deletion, by identifier.
    var beforeDeletion: [String: LedgerInvoice] = [:]
    var generator: InvoiceGenerator
  }

  let state: Mutex<State>
  private let now: @Sendable () -> Timestamp

  /// - Parameter generator: generates the invoices that are added later.
  init(
    _ invoices: [LedgerInvoice],
    generator: InvoiceGenerator,
    now: @escaping @Sendable () -> Timestamp
  ) {
    let sorted = invoices.sorted { ($0.updatedAt, $0.id) < ($1.updatedAt, $1.id) }
    state = Mutex(State(rows: sorted, generator: generator))
    self.now = now
  }

  var all: [LedgerInvoice] { state.withLock { $0.rows } }

  func invoice(id: String) -> LedgerInvoice? {
    all.first { $0.id == id }
  }

  /// Returns one page of the matching rows; a page beyond the end is empty.
  func page(_ query: LedgerQuery) -> LedgerPage {
    let rows = all
    let first = query.modifiedSince.map { Self.firstIndex(in: rows, since: $0) } ?? 0
    let count = rows.count - first
    let (start, overflow) = (query.page - 1).multipliedReportingOverflow(by: query.pageSize)
    guard !overflow, start < count else {
      return LedgerPage(query: query, invoices: [], itemCount: count)
    }
    let end = min(start + query.pageSize, count)
    let selected =
      query.newestFirst
      ? Array(rows[(rows.count - end)..<(rows.count - start)].reversed())
      : Array(rows[(first + start)..<(first + end)])
    return LedgerPage(query: query, invoices: selected, itemCount: count)
  }

  /// Returns the instant of the next change: now, but later than every earlier change.
  func nextInstant(after latest: Timestamp?) -> Timestamp {
    let current = now().microsecondsSinceEpoch / 1_000 * 1_000
    guard let latest else { return Timestamp(microsecondsSinceEpoch: current) }
    return Timestamp(microsecondsSinceEpoch: max(current, latest.microsecondsSinceEpoch + 1_000))
  }

  private static func firstIndex(in rows: [LedgerInvoice], since instant: Timestamp) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].updatedAt < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
