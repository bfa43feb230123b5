import Foundation
import JSONReading
import Models
import Networking
import Storage
import Sync

/// The requests that complete a page: for records that events name, and for the rest of records
/// that the list cuts, such as lines beyond the first ten of an invoice.
struct StripeCompletion<List: StripeList>: Sendable {
  private typealias Record = List.Record

  private enum Outcome: Sendable {
    case record(Record)
    case removal(Removal)
    case failure(RowFailure)
  }

  let requests: StripeRequests
  let cursor: StripeCursor
  let zone: TimeZone
  let ask: Ask

  func complete(
    _ page: Page<[List.Record], StripeCursor>
  ) async throws -> Page<[List.Record], StripeCursor> {
    var page = page
    let unfinished = Set(page.unfinished)
    let cut = page.records.filter { unfinished.contains($0.id) }
    let others = unfinished.subtracting(cut.lazy.map(\.id))
    page.records.removeAll { unfinished.contains($0.id) }
    page.unfinished = []
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for record in cut {
        group.addTask { try await outcome(of: record.id) { .record(try await whole(record)) } }
      }
      for id in others {
        group.addTask { try await outcome(of: id) { try await named(id) } }
      }
      for try await outcome in group {
        switch outcome {
        case .record(let record): page.records.append(record)
        case .removal(let removal): page.removals.append(removal)
        case .failure(let failure): page.failures.append(failure)
        }
      }
    }
    return page
  }

  /// Returns the outcome of `body`; an error in one record is a failure of that record only.
  private func outcome(
    of id: String, _ body: () async throws -> Outcome
  ) async throws -> Outcome {
    do {
      return try await body()
    } catch SyncError.unreadable(let path, let reason, _) {
      return .failure(RowFailure(id: id, path: path, reason: reason))
    } catch let error as JSONError {
      return .failure(
        RowFailure(id: id, path: error.pathDescription, reason: error.explanation))
    } catch is LostRest {
      return try await lost(id, "the provider deleted it")
      // With optional expansions, it means that the key may no longer read these.
    } catch is CursorExpired where List.optionalExpansions.isEmpty {
      return try await lost(id, "the provider deleted it")
    } catch SyncError.accessDenied(status: 404, _) {
      return try await lost(id, "the provider does not find its lines")
    }
  }

  /// The server's answer to a request for a record.
  private enum Look {
    case there(Record, isCut: Bool)
    case removed(Removal)
  }

  private func look(at id: String) async throws -> Look {
    let response: Response
    do {
      response = try await ask(try requests.record(id, of: List.self, at: cursor))
    } catch SyncError.accessDenied(status: 404, _) {
      // It was a draft that has been deleted since.
      return .removed(Removal(id: id, reason: "not found"))
    }
    var reader = JSONReader(response.body)
    switch try List.read(&reader, in: zone) {
    case .deleted: return .removed(Removal(id: id, reason: "deleted"))
    case .record(let record, let isCut): return .there(record, isCut: isCut)
    }
  }

  /// Returns the outcome for a record whose rest cannot be fetched.
  ///
  /// A draft may be deleted between two pages of lines; a request for the record itself then shows
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
    case .there(let record, let isCut): return .record(isCut ? try await whole(record) : record)
    }
  }

  /// Requests for the rest of a record have no expansions: the line before it no longer exists.
  private struct LostRest: Error {}

  private func whole(_ record: Record) async throws -> Record {
    do {
      return try await List.whole(record, requests, at: cursor, in: zone, ask: ask)
    } catch is CursorExpired {
      throw LostRest()
    }
  }
}
