import Models
import Synchronization

struct LedgerQuery: Sendable, Equatable {
  /// The number of the page, counted from 1.
  var page = 1
  var pageSize = 100
  var newestFirst = false
  var unitDecimals = 2
  var modifiedSince: Timestamp?
}

struct LedgerPage: Sendable {
  var query: LedgerQuery
  var invoices: [LedgerInvoice]
  var itemCount: Int

  var pageCount: Int { (itemCount + query.pageSize - 1) / query.pageSize }
}

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
    /// The changes so far.
    var changes: [LedgerChange] = []
  }

  let state: Mutex<State>
  private let now: @Sendable () -> Timestamp

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

  private static func firstIndex(in rows: [LedgerInvoice], since instant: Timestamp) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].updatedAt < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Changes up to `count` invoices and returns their identifiers.
  @discardableResult
  func change(_ kind: LedgerChange.Kind, count: Int, seed: UInt64 = 0) -> [String] {
    make(LedgerChange(kind: kind, count: count, seed: seed, instant: now()))
  }

  /// Makes a change and keeps it, so that it can be made again after a restart.
  @discardableResult
  func make(_ change: LedgerChange) -> [String] {
    guard change.count > 0 else { return [] }
    return state.withLock { state in
      state.changes.append(change)
      return switch change.kind {
      case .change: Self.edit(&state, change)
      case .void: Self.void(&state, change)
      case .delete: Self.delete(&state, change)
      case .restore: Self.restore(&state, change)
      case .add: Self.add(&state, change)
      }
    }
  }

  private static func edit(_ state: inout State, _ change: LedgerChange) -> [String] {
    update(&state, change) { rows in
      var generator = SplitMix64(seed: change.seed)
      var candidates = rows.indices.filter { rows[$0].isLive }
      let wanted = min(change.count, candidates.count)
      for position in 0..<wanted {
        candidates.swapAt(position, position + generator.below(candidates.count - position))
      }
      return Array(candidates.prefix(wanted))
    } edit: { invoice, state in
      invoice.reference = "Revision \(state.revision)"
      let due = invoice.dueDate ?? invoice.date
      invoice.dueDate = due.flatMap { CalendarDate(daysSinceEpoch: $0.daysSinceEpoch + 7) }
    }
  }

  /// Voids live invoices, approved unpaid ones first, which Xero also requires.
  private static func void(_ state: inout State, _ change: LedgerChange) -> [String] {
    update(&state, change) { rows in
      live(in: rows) { $0.status == .open && $0.amountPaid.isZero }
    } edit: { invoice, _ in
      invoice.status = .void
      invoice.amountDue = .zero
    }
  }

  private static func delete(_ state: inout State, _ change: LedgerChange) -> [String] {
    update(&state, change) { rows in
      live(in: rows) { $0.status == .draft || $0.status == .scheduled }
    } edit: { invoice, state in
      state.beforeDeletion[invoice.id] = invoice
      invoice.status = .deleted
      invoice.amountDue = .zero
    }
  }

  private static func restore(_ state: inout State, _ change: LedgerChange) -> [String] {
    update(&state, change) { rows in
      rows.indices.reversed().filter { rows[$0].status == .deleted }
    } edit: { invoice, state in
      guard var restored = state.beforeDeletion.removeValue(forKey: invoice.id) else { return }
      restored.updatedAt = invoice.updatedAt
      invoice = restored
    }
  }

  private static func add(_ state: inout State, _ change: LedgerChange) -> [String] {
    (0..<change.count).map { _ in
      let instant = change.instant(after: state.rows.last?.updatedAt)
      let invoice = state.generator.next(updatedAt: instant)
      state.rows.append(invoice)
      return invoice.id
    }
  }

  /// Returns the positions of live rows, preferred ones first, each group by ascending change time.
  private static func live(
    in rows: [LedgerInvoice], preferring isPreferred: (LedgerInvoice) -> Bool
  ) -> [Int] {
    let live = rows.indices.filter { rows[$0].isLive }
    return live.filter { isPreferred(rows[$0]) } + live.filter { !isPreferred(rows[$0]) }
  }

  private static func update(
    _ state: inout State, _ change: LedgerChange,
    selecting select: ([LedgerInvoice]) -> [Int],
    edit: (inout LedgerInvoice, inout State) -> Void
  ) -> [String] {
    let chosen = select(state.rows).prefix(change.count)
    var edited = chosen.map { state.rows[$0] }
    let positions = Set(chosen)
    var kept: [LedgerInvoice] = []
    kept.reserveCapacity(state.rows.count)
    for (position, row) in state.rows.enumerated() where !positions.contains(position) {
      kept.append(row)
    }
    var latest = state.rows.last?.updatedAt
    for index in edited.indices {
      edited[index].updatedAt = change.instant(after: latest)
      latest = edited[index].updatedAt
      state.revision += 1
      edit(&edited[index], &state)
    }
    state.rows = kept + edited
    return edited.map(\.id)
  }
}

/// A change of invoices; the same changes in the same order give the same invoices.
struct LedgerChange: Sendable, Codable {
  enum Kind: String, Sendable, Codable, CaseIterable {
    case change, void, delete, restore, add
  }

  var kind: Kind
  var count: Int
  var seed: UInt64
  /// The time of the clock.
  var instant: Timestamp

  /// Returns the instant that an invoice gets: the clock's, but later than every earlier change.
  func instant(after latest: Timestamp?) -> Timestamp {
    let current = instant.microsecondsSinceEpoch / 1_000 * 1_000
    let next = latest.map { $0.microsecondsSinceEpoch + 1_000 } ?? current
    return Timestamp(microsecondsSinceEpoch: max(current, next))
  }
}

struct Tenant: Sendable {
  let id: String
  let name: String
  let connectionID: String
  let authEventID: String
  let ledger: InvoiceLedger

  /// Creates the tenant with a number; its identifiers are the same in every sandbox.
  init(number: Int, ledger: InvoiceLedger) {
    var random = SplitMix64(seed: 0x7465_6E61_6E74, index: number)
    id = random.identifier()
    connectionID = random.identifier()
    authEventID = random.identifier()
    name = number == 0 ? "Sandbox Company" : "Sandbox Company \(number + 1)"
    self.ledger = ledger
  }
}
