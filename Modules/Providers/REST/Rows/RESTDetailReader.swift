import Foundation
import JSONReading
import Models
import Networking
import Storage
import Sync

/// A reader that fetches records individually, a few concurrently.
struct RESTDetailReader<Record: RESTRecord>: Sendable {
  private enum Outcome: Sendable {
    case record(Record)
    case removal(Removal)
    case failure(RowFailure)
    /// The server fails for this record; if it fails for every one, the server itself is broken.
    case serverFailure(RowFailure)
    /// The record has disappeared since it was listed; the list will show what happened to it.
    case removed
  }

  private let resource: RESTResource
  private let requests: RESTRequests
  private let ask: Ask
  private let plan: RESTPlan

  init(resource: RESTResource, requests: RESTRequests, ask: @escaping Ask) {
    self.resource = resource
    self.requests = requests
    self.ask = ask
    plan = RESTPlan(resource.fields, resource.forms)
  }

  func records(
    _ ids: [String], _ detail: RESTDetail, at cursor: RESTCursor
  ) async throws -> Page<[Record], RESTCursor> {
    var outcomes: [Int: Outcome] = [:]
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      for (index, id) in ids.enumerated() {
        group.addTask { (index, try await outcome(of: id, detail)) }
      }
      for try await (index, outcome) in group { outcomes[index] = outcome }
    }
    let broken = outcomes.values.filter { if case .serverFailure = $0 { true } else { false } }
    if !broken.isEmpty {
      guard broken.count < ids.count || ids.count == 1 else {
        throw SyncError.serverFailed(status: 500)
      }
      // The list shows if the server fails for these records alone.
      _ = try await ask(requests.page(cursor))
    }
    var page = Page<[Record], RESTCursor>(resume: cursor)
    for index in ids.indices {
      switch outcomes[index] {
      case .record(let record)?: page.records.append(record)
      case .removal(let removal)?: page.removals.append(removal)
      case .failure(let failure)?, .serverFailure(let failure)?: page.failures.append(failure)
      case .removed?, nil: break
      }
    }
    return page
  }

  /// Fetches one record; if it cannot be read, only this record fails.
  private func outcome(of id: String, _ detail: RESTDetail) async throws -> Outcome {
    let body: [UInt8]
    do {
      body = try await ask(try requests.record(id, detail)).body
    } catch SyncError.accessDenied(status: 404, _) {
      return .removed
    } catch is CursorExpired {
      return .removed
    } catch SyncError.accessDenied(let status, _) {
      return .failure(refused(id, status))
    } catch SyncError.serverFailed(let status, _) where (400...499).contains(status) {
      return .failure(refused(id, status))
    } catch SyncError.serverFailed(status: 500, _) {
      // Some servers fail for a record that they cannot render, however often it is requested.
      return .serverFailure(refused(id, 500))
    } catch SyncError.unreadable(let path, let reason, _) {
      return .failure(RowFailure(id: id, path: path, reason: reason))
    }
    do throws(RESTRowError) {
      return try read(try detail.record(in: body), id)
    } catch {
      return .failure(RowFailure(id: id, path: error.path, reason: error.reason))
    }
  }

  /// Returns the failure of a record that the server refuses; the other records are unaffected.
  private func refused(_ id: String, _ status: Int) -> RowFailure {
    RowFailure(
      id: id, path: "detail", reason: "the provider rejects the request for it (status \(status))")
  }

  private func read(_ value: JSONValue, _ id: String) throws(RESTRowError) -> Outcome {
    let row = RESTRow(value, plan)
    guard !resource.isDeleted(value) else {
      return .removal(Removal(id: id, reason: RESTRowReader<Record>.reason))
    }
    let record = try Record(row)
    guard record.id == id else {
      throw row.error(.id, "it is not the id that was requested")
    }
    return .record(record)
  }
}

extension RESTDetail {
  /// Returns the record in a response.
  ///
  /// - Throws: ``RESTRowError`` if there is none.
  func record(in body: [UInt8]) throws(RESTRowError) -> JSONValue {
    var reader = JSONReader(body)
    let whole: JSONValue
    do {
      whole = try reader.readValue()
      try reader.readEnd()
    } catch {
      let error = error as? JSONError
      throw RESTRowError(
        path: error.map { $0.path.isEmpty ? "byte \($0.offset)" : $0.pathDescription }
          ?? row.description,
        reason: error?.explanation ?? "it is not JSON")
    }
    guard let record = row.value(in: whole), case .object = record else {
      throw RESTRowError(path: row.description, reason: "expected a record")
    }
    return record
  }
}
