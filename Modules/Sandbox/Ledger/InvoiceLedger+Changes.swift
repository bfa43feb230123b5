import Models
import Synchronization

extension InvoiceLedger {
  /// Edits the reference and the due date of some live invoices; returns their identifiers.
  func change(count: Int, seed: UInt64) -> [String] {
    update(count: count) { rows in
      var generator = SplitMix64(seed: seed)
      var candidates = rows.indices.filter { rows[$0].isLive }
      let wanted = min(count, candidates.count)
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
  func void(count: Int) -> [String] {
    update(count: count) { rows in
      Self.live(in: rows) { $0.status == .open && $0.amountPaid.isZero }
    } edit: { invoice, _ in
      invoice.status = .void
      invoice.amountDue = .zero
    }
  }

  /// Marks live invoices as deleted, drafts first; like Xero, it keeps them in the list.
  func delete(count: Int) -> [String] {
    update(count: count) { rows in
      Self.live(in: rows) { $0.status == .draft || $0.status == .scheduled }
    } edit: { invoice, state in
      state.beforeDeletion[invoice.id] = invoice
      invoice.status = .deleted
      invoice.amountDue = .zero
    }
  }

  /// Restores the invoices that ``delete(count:)`` has deleted, the latest deletion first.
  func restore(count: Int) -> [String] {
    update(count: count) { rows in
      rows.indices.reversed().filter { rows[$0].status == .deleted }
    } edit: { invoice, state in
      guard var restored = state.beforeDeletion.removeValue(forKey: invoice.id) else { return }
      restored.updatedAt = invoice.updatedAt
      invoice = restored
    }
  }

  /// Adds new invoices.
  func add(count: Int) -> [String] {
    state.withLock { state in
      var added: [String] = []
      for _ in 0..<max(0, count) {
        let instant = nextInstant(after: state.rows.last?.updatedAt)
        let invoice = state.generator.next(updatedAt: instant)
        state.rows.append(invoice)
        added.append(invoice.id)
      }
      return added
    }
  }

  /// Returns the positions of live rows, preferred ones first, each group by ascending change time.
  private static func live(
    in rows: [LedgerInvoice], preferring isPreferred: (LedgerInvoice) -> Bool
  ) -> [Int] {
    let live = rows.indices.filter { rows[$0].isLive }
    return live.filter { isPreferred(rows[$0]) } + live.filter { !isPreferred(rows[$0]) }
  }

  private func update(
    count: Int,
    selecting select: ([LedgerInvoice]) -> [Int],
    edit: (inout LedgerInvoice, inout State) -> Void
  ) -> [String] {
    guard count > 0 else { return [] }
    return state.withLock { state in
      let chosen = select(state.rows).prefix(count)
      var edited = chosen.map { state.rows[$0] }
      let positions = Set(chosen)
      var kept: [LedgerInvoice] = []
      kept.reserveCapacity(state.rows.count)
      for (position, row) in state.rows.enumerated() where !positions.contains(position) {
        kept.append(row)
      }
      var latest = state.rows.last?.updatedAt
      for index in edited.indices {
        edited[index].updatedAt = nextInstant(after: latest)
        latest = edited[index].updatedAt
        state.revision += 1
        edit(&edited[index], &state)
      }
      state.rows = kept + edited
      return edited.map(\.id)
    }
  }
}
