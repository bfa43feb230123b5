import Foundation
import HTTPTypes
import Models
import Networking
import Storage

/// One run: pages are fetched ahead of the page that is being stored.
struct SyncRun<Provider: InvoiceProvider> {
  let account: String
  let provider: Provider
  let session: Session
  let database: InvoiceDatabase
  let options: SyncOptions
  let now: @Sendable () -> Timestamp
  let log: SyncLog

  private typealias Page = InvoicePage<Provider.Cursor>
  private typealias Fetched = (page: Page, took: Duration)

  func run() async throws -> SyncReport {
    let clock = ContinuousClock()
    let start = clock.now
    let statistics = session.statistics
    let earlier = try await database.resumption(account: account, resource: InvoiceSync.resource)
    var report = SyncReport(account: account, provider: provider.name)
    report.watermarkBefore = earlier?.watermark
    report.watermarkAfter = earlier?.watermark

    log.begins(provider: provider.name, isFull: options.full, since: earlier?.watermark)
    let run = try await database.beginRun(
      RunStart(
        account: account, resource: InvoiceSync.resource, provider: provider.name,
        mode: options.full ? "full" : "incremental", startedAt: now(),
        watermarkBefore: earlier?.watermark))
    func count() {
      let after = session.statistics
      report.requests = after.requests - statistics.requests
      report.retries = after.retries - statistics.retries
      report.waited = after.waited - statistics.waited
      report.duration = start.duration(to: clock.now)
    }
    do {
      let cursor = try await begin(after: earlier)
      try await readPages(from: cursor, run: run, report: &report)
      count()
    } catch SyncError.rateLimited(let retryAt) {
      count()
      report.result = .partial
      report.retryAt = retryAt
    } catch {
      log.failed(error)
      try? await database.endRun(
        run, result: .failed, errorCode: String(describing: type(of: error)),
        watermark: report.watermarkAfter, endedAt: now())
      throw error
    }
    try await database.endRun(
      run, result: report.result == .complete ? .complete : .partial, errorCode: nil,
      watermark: report.watermarkAfter, endedAt: now())
    log.ended(report)
    return report
  }

  private func begin(after earlier: Resumption?) async throws -> Provider.Cursor {
    // A cursor that this version cannot read is no reason to fail: the list is read from its start.
    let stored = earlier.flatMap {
      try? JSONDecoder().decode(Provider.Cursor.self, from: Data($0.cursor))
    }
    let cursor = try await provider.begin(at: stored, over: session)
    return options.full ? provider.restart(cursor) : cursor
  }

  private func readPages(
    from start: Provider.Cursor, run: RunID, report: inout SyncReport
  ) async throws {
    var repeats = RepeatFilter()
    var (page, took) = try await fetch(at: start)
    var resume = start
    while true {
      report.failures += page.failures
      // Once a row could not be read, later runs have to meet it again: the cursor stays before it.
      if report.failures.isEmpty { resume = page.resume }
      page.invoices = repeats.removingRepeats(from: page.invoices)
      guard let next = page.next else {
        try await commit(page, took, resume: resume, isLast: true, run: run, report: &report)
        break
      }
      async let following = fetch(at: next)
      try await commit(page, took, resume: resume, isLast: false, run: run, report: &report)
      (page, took) = try await following
    }
    if !report.failures.isEmpty { report.result = .partial }
  }

  private func fetch(at cursor: Provider.Cursor) async throws -> Fetched {
    let start = ContinuousClock.now
    let response = try await session.send(try provider.request(at: cursor))
    switch response.head.status.code {
    case 200:
      let page = try provider.page(response.body, at: cursor)
      return (page, start.duration(to: .now))
    case 401: throw SyncError.credentialsRejected
    case 403, 404: throw SyncError.accessDenied(status: response.head.status.code)
    case 429:
      let seconds = RetryAfter.seconds(in: response.head, now: now().date)
      throw SyncError.rateLimited(
        retryAt: seconds.map { now().adding(seconds: Int64($0.rounded(.up))) })
    default: throw SyncError.serverFailed(status: response.head.status.code)
    }
  }

  private func commit(
    _ page: Page, _ took: Duration, resume: Provider.Cursor, isLast: Bool, run: RunID,
    report: inout SyncReport
  ) async throws {
    let start = ContinuousClock.now
    let newest = page.invoices.lazy.map(\.updatedAt).max()
    let watermark = [report.watermarkAfter, newest].compactMap(\.self).max()
    let counts = try await database.commit(
      PageCommit(
        account: account, resource: InvoiceSync.resource, source: provider.source(of: resume),
        invoices: page.invoices, cursor: Array(try JSONEncoder().encode(resume)),
        watermark: watermark, isComplete: isLast && report.failures.isEmpty,
        requests: report.requests, instant: now()),
      run: run)
    report.watermarkAfter = watermark
    report.pages += 1
    report.inserted += counts.inserted
    report.updated += counts.updated
    report.unchanged += counts.unchanged
    report.deleted += counts.deleted
    log.stored(
      page: report.pages, counts, unreadable: page.failures.count, reading: took,
      storing: start.duration(to: .now))
    options.progress(
      SyncProgress(
        pages: report.pages,
        invoices: report.inserted + report.updated + report.unchanged + report.deleted))
  }
}
