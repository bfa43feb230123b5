import ErrorCodes
import Foundation
import Models
import Networking
import Storage
import Synchronization
import SystemSupport

/// The report of a run so far, which the tasks of the run share.
final class DocumentTally: Sendable {
  private struct State {
    var report: DocumentReport
    var progress = DocumentProgress()
    /// The bytes that each file under way has received.
    var receiving: [String: Int] = [:]
    /// The files that were begun.
    var begun = 0
    var denied: Set<DocumentKind> = []
    /// The failures of the server since the last file that arrived.
    var failuresInRow = 0
    /// Those of files that had not failed in an earlier run.
    var newFailuresInRow = 0
  }

  /// The number of failures of the server in a row that are an outage.
  private static let outage = 5
  /// The number that is an outage if the files had failed in an earlier run already.
  ///
  /// Files that fail come first in every run. A few that fail for ever must not keep a run from the
  /// files behind them.
  private static let repeatedOutage = 50

  private let sync: DocumentSync
  private let options: DocumentSyncOptions
  private let kinds: Set<DocumentKind>
  private let tell: @Sendable (DocumentProgress) -> Void
  private let begin: Duration
  private let requestsBefore: Int
  private let state: Mutex<State>

  init(
    _ sync: DocumentSync, _ options: DocumentSyncOptions, _ kinds: Set<DocumentKind>,
    _ tell: @escaping @Sendable (DocumentProgress) -> Void
  ) {
    (self.sync, self.options, self.kinds, self.tell) = (sync, options, kinds, tell)
    begin = sync.time.uptime()
    requestsBefore = sync.session.statistics.requests
    var report = DocumentReport(account: sync.account, provider: sync.provider)
    report.isDryRun = options.isDryRun
    state = Mutex(State(report: report))
  }

  /// The report as of now.
  var report: DocumentReport {
    var report = state.withLock { $0.report }
    report.requests = sync.session.statistics.requests - requestsBefore
    report.duration = sync.time.uptime() - begin
    return report
  }

  var hasEnded: Bool { state.withLock { $0.report.ending != nil } }

  /// Returns whether the run's limits are reached, and notes which.
  func isSpent() -> Bool {
    let elapsed = sync.time.uptime() - begin
    return state.withLock { state in
      if let limit = options.maximumDuration, elapsed >= limit {
        state.report.ending = .duration
      } else if let limit = options.limit, state.begun >= limit {
        state.report.ending = .limit
      }
      return state.report.ending != nil
    }
  }

  /// Runs work whose requests wait no longer for a limit than the options and the run's remaining
  /// time allow.
  func waiting<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    let left = options.maximumDuration.map { max(.zero, $0 - (sync.time.uptime() - begin)) }
    guard let wait = [options.maximumWait, left].compactMap(\.self).min() else {
      return try await work()
    }
    return try await Session.waiting(atMost: wait, work)
  }

  /// Counts a file that begins, unless the run's limit of files is reached.
  func mayBegin() -> Bool {
    state.withLock { state in
      if let limit = options.limit, state.begun >= limit {
        state.report.ending = .limit
        return false
      }
      state.begun += 1
      return true
    }
  }

  func isDenied(_ kind: DocumentKind) -> Bool {
    state.withLock { $0.denied.contains(kind) }
  }

  /// Asks for no more files of a kind in this run.
  func leaveOut(_ kind: DocumentKind) {
    state.withLock { _ = $0.denied.insert(kind) }
  }

  // MARK: Counting

  func expect(invoices count: Int) {
    state.withLock { $0.progress.invoicesInAll = count }
  }

  /// Counts invoices that were looked at.
  func count(invoices count: Int) { change { $0.progress.invoicesDone += count } }

  /// Counts a file that is not fetched.
  func count(_ count: DocumentReport.Count) {
    state.withLock { $0.report[keyPath: count] += 1 }
  }

  /// Notes how many bytes of a file have arrived.
  func receive(_ bytes: Int, of file: String) {
    change { state in
      state.progress.bytes += bytes - (state.receiving[file] ?? 0)
      state.receiving[file] = bytes
    }
  }

  /// Forgets the bytes of a file that has ended.
  func end(_ file: String) {
    state.withLock { $0.receiving[file] = nil }
  }

  func countStored(bytes: Int) {
    change { state in
      state.report.stored += 1
      state.report.bytes += bytes
      state.progress.stored += 1
      (state.failuresInRow, state.newFailuresInRow) = (0, 0)
    }
  }

  private func change(_ body: (inout State) -> Void) {
    tell(
      state.withLock { state in
        body(&state)
        return state.progress
      })
  }

  // MARK: Errors

  /// Notes an error in the report.
  ///
  /// - Returns: the code to store with the file; `nil` if the error is not the file's own.
  /// - Throws: the error, if the run cannot go on.
  @discardableResult
  func note(
    _ error: any Error, of invoice: DocumentedInvoice?, _ kind: DocumentKind, _ name: String? = nil
  ) throws -> ErrorCode? {
    if Task.isCancelled { throw CancellationError() }
    switch error {
    case DocumentError.absent:
      count(\.unsupported)
      return .notFound
    case DocumentError.gone:
      count(\.gone)
      return .notFound
    case SessionError.insufficientScope(let needed, _, _):
      deny(kind, .accessDenied(scope: needed ?? sync.source.scope(for: kind)))
    case DocumentError.accessDenied(let scope): deny(kind, .accessDenied(scope: scope))
    case DocumentError.rateLimited(let retryAt): postpone(until: retryAt.map { Timestamp($0) })
    case SessionError.rateLimited(let wait):
      postpone(until: Timestamp(sync.time.wall().addingTimeInterval(wait / .seconds(1))))
    case SessionError.cancelled, SessionError.closed, DocumentError.inaccessible,
      DownloadError.unwritable:
      throw error
    case let error as any CodedError
    where error is DocumentError || error is SessionError || error is DownloadError:
      countFailure(error, of: invoice, kind, name)
      return error.code
    default: throw error
    }
    return nil
  }

  /// Notes a denial: one fact about the account, not one of each file.
  private func deny(_ kind: DocumentKind, _ error: DocumentError) {
    state.withLock { state in
      state.denied.insert(kind)
      if state.report.denial == nil { state.report.denial = error }
      if case .accessDenied(let scope) = error,
        !state.report.denied.contains(where: { $0.kind == kind })
      {
        state.report.denied.append(DocumentReport.DeniedKind(kind: kind, scope: scope))
      }
      if state.denied.isSuperset(of: kinds) { state.report.ending = .denied }
    }
  }

  /// Ends the run; without a time from the server it is a minute, as most limits are counted by it.
  private func postpone(until retryAt: Timestamp?) {
    let retryAt = retryAt ?? Timestamp(sync.time.wall()).adding(seconds: 60)
    state.withLock { state in
      state.report.ending = .rateLimit
      state.report.retryAt = max(retryAt, state.report.retryAt ?? retryAt)
    }
  }

  private func countFailure(
    _ error: any CodedError, of invoice: DocumentedInvoice?, _ kind: DocumentKind, _ name: String?
  ) {
    state.withLock { state in
      if let invoice {
        state.report.failed += 1
        state.progress.failed += 1
        if state.report.failures.count < DocumentReport.failuresLimit {
          state.report.failures.append(
            DocumentReport.FailedFile(
              invoiceID: invoice.stored.invoice.id, number: invoice.stored.invoice.number,
              kind: kind, name: name, code: error.code, message: error.description))
        }
      } else {
        state.report.listFailure = error
      }
      guard [.serverUnavailable, .serverFailed, .untrustedServer].contains(error.code) else {
        return
      }
      // Without a connection there is none for any file.
      let isRepeated =
        error.code == .serverFailed
        && invoice?.documents.contains {
          $0.kind == kind && $0.name == name && $0.state == .failed
        } == true
      state.failuresInRow += 1
      state.newFailuresInRow += isRepeated ? 0 : 1
      if state.newFailuresInRow >= Self.outage || state.failuresInRow >= Self.repeatedOutage {
        state.report.ending = .unavailable
        state.report.outage = error
      }
    }
  }
}
