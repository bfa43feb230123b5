import Foundation
import JSONReading
import Models
import Networking
import Storage
import Sync

/// The requests that complete a page: for invoices that events name, and for lines beyond the first
/// ten of an invoice.
struct StripeCompletion: Sendable {
  private enum Outcome: Sendable {
    case record(Invoice)
    case removal(Removal)
    case failure(RowFailure)
  }

  let requests: StripeRequests
  let cursor: StripeCursor
  let zone: TimeZone
  let ask: Ask

  func complete(
    _ page: Page<[Invoice], StripeCursor>
  ) async throws -> Page<[Invoice], StripeCursor> {
    var page = page
    let unfinished = Set(page.unfinished)
    let cut = page.records.filter { unfinished.contains($0.id) }
    let others = unfinished.subtracting(cut.lazy.map(\.id))
    page.records.removeAll { unfinished.contains($0.id) }
    page.unfinished = []
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for invoice in cut {
        group.addTask { try await outcome(of: invoice.id) { .record(try await whole(invoice)) } }
      }
      for id in others {
        group.addTask { try await outcome(of: id) { try await named(id) } }
      }
      for try await outcome in group {
        switch outcome {
        case .record(let invoice): page.records.append(invoice)
        case .removal(let removal): page.removals.append(removal)
        case .failure(let failure): page.failures.append(failure)
        }
      }
    }
    return page
  }

  /// Returns the outcome of `body`; an error in one invoice is a failure of that invoice only.
  private func outcome(
    of id: String, _ body: () async throws -> Outcome
  ) async throws -> Outcome {
    do {
      return try await body()
    } catch SyncError.unreadable(let path, let reason) {
      return .failure(RowFailure(id: id, path: path, reason: reason))
    } catch let error as JSONError {
      return .failure(
        RowFailure(id: id, path: error.pathDescription, reason: error.explanation))
    } catch is CursorExpired {
      return try await lost(id, "the provider deleted it")
    } catch SyncError.accessDenied(status: 404, _) {
      return try await lost(id, "the provider does not find its lines")
    }
  }

  /// The server's answer to a request for an invoice.
  private enum Look {
    case there(StripeInvoice)
    case removed(Removal)
  }

  private func look(at id: String) async throws -> Look {
    let response: Response
    do {
      response = try await ask(try requests.invoice(id, of: cursor))
    } catch SyncError.accessDenied(status: 404, _) {
      // It was a draft that has been deleted since.
      return .removed(Removal(id: id, reason: "not found"))
    }
    var reader = JSONReader(response.body)
    let invoice = try StripeInvoice(&reader)
    return invoice.isDeleted ? .removed(Removal(id: id, reason: "deleted")) : .there(invoice)
  }

  /// Returns the outcome for an invoice whose lines cannot be fetched.
  ///
  /// A draft may be deleted between two pages of lines; a request for the invoice itself then shows
  /// that.
  private func lost(_ id: String, _ reason: String) async throws -> Outcome {
    do {
      if case .removed(let removal) = try await look(at: id) { return .removal(removal) }
    } catch is CursorExpired {
    } catch is JSONError {
    } catch SyncError.unreadable {
    }
    return .failure(RowFailure(id: id, path: "id", reason: reason))
  }

  private func named(_ id: String) async throws -> Outcome {
    switch try await look(at: id) {
    case .removed(let removal): return .removal(removal)
    case .there(let invoice):
      let start = try invoice.invoice(in: zone)
      return .record(invoice.isCut ? try await whole(start) : start)
    }
  }

  private func whole(_ invoice: Invoice) async throws -> Invoice {
    var invoice = invoice
    let money = StripeMoney(invoice.currency)
    while true {
      guard let last = invoice.lines.last?.id else {
        throw SyncError.unreadable(part: "lines", reason: "the last line has no id")
      }
      let request = try requests.lines(of: invoice.id, after: last, cursor)
      let more = try StripeLines(page: try await ask(request).body)
      let lines = try more.lines(money, at: 0, in: zone)
      invoice.lines += lines
      more.extendPeriod(of: &invoice, in: zone)
      guard more.hasMore, !lines.isEmpty else { return invoice }
      guard lines.last?.id != last else {
        throw SyncError.unreadable(part: "lines", reason: "a page repeats the previous one")
      }
    }
  }
}
