import Foundation
import Models
import Networking
import Storage
import Synchronization
import SystemSupport

/// Reads one page of a list, to show what it holds.
struct SampleReader<Feed: ResourceFeed> {
  let feed: Feed
  let session: Session
  let clock: TimeSource

  func sample(of resource: Resource) async throws -> ResourceSample {
    // Somebody looks on; a limit that is spent for the day is told, not waited for.
    try await Session.waiting(atMost: SyncOptions().maximumWait) {
      try await clock.tellingLimit { try await read(resource) }
    }
  }

  private func read(_ resource: Resource) async throws -> ResourceSample {
    var sample = ResourceSample(resource: resource)
    let cursor = try await feed.begin(.everything(known: nil), over: session)
    let response = try await answer(to: feed.request(at: cursor))
    var page = try feed.page(response, at: cursor)
    if !page.unfinished.isEmpty {
      page = try await feed.completing(page, at: cursor) { try await answer(to: $0) }
    }
    sample.hasMore = page.next != nil
    sample.count = try feed.count(response)
    var shown: [UInt8]? = response.body
    if !page.versions.isEmpty {
      let ids = page.versions.prefix(feed.batch).map(\.id)
      sample.failures = page.failures
      let answers = Mutex<[Response]>([])
      page = try await feed.records(for: ids, at: cursor) { request in
        let answer = try await answer(to: request)
        answers.withLock { $0.append(answer) }
        return answer
      }
      page.failures += RowFailure.unanswered(
        of: ids, page.records.map(\.id), page.removals, page.failures)
      shown = answers.withLock { $0.first?.body }
    }
    sample.failures += page.failures
    sample.rows = page.records.count + page.removals.count + page.failures.count
    if let feed = feed as? any FieldExplaining {
      try await look(at: feed, after: response.serverTime, into: &sample)
      guard sample.rows > 0, let shown else { return sample }
      sample.fields = try feed.readings(of: shown)
    } else if let first = page.records.first {
      sample.fields = FieldValues(of: first, elements: 1).values.map {
        FieldReading(field: $0.field, value: $0.text)
      }
    }
    return sample
  }

  /// Reads what was deleted within a day, where there is a list of it.
  private func look(
    at feed: some FieldExplaining, after instant: Timestamp, into sample: inout ResourceSample
  ) async throws {
    let day: Int64 = 86_400
    guard let request = try feed.deletionsRequest(since: instant.adding(seconds: -day)) else {
      return
    }
    let deleted = try feed.deletions(try await answer(to: request))
    sample.deletions = deleted.removals.count
    sample.failures += deleted.failures
  }

  private func answer(to request: Request) async throws -> Response {
    try await session.send(request).checked(at: clock.now, for: feed)
  }
}
