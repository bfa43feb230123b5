import Models
import Networking
import Storage
import Synchronization
import SystemSupport

/// Reads one page of a list, to show its contents.
struct SampleReader<Feed: ResourceFeed> {
  let client: FeedClient<Feed>

  /// Creates a reader that reports a longer wait instead of waiting: the user is watching, and a
  /// diagnosis would say that the server does not answer.
  init(feed: Feed, session: Session, clock: TimeSource) {
    client = FeedClient(
      feed: feed, session: session, clock: clock, maximumWait: .seconds(5))
  }

  func sample(of resource: Resource) async throws -> ResourceSample {
    var sample = ResourceSample(resource: resource)
    let feed = client.feed
    let cursor = try await client.begin(.everything(known: nil))
    let response = try await client.response(at: cursor)
    var page = try await client.page(response, at: cursor)
    sample.serverTime = response.date
    sample.hasMore = page.next != nil
    sample.count = try (feed as? any FieldExplaining)?.total(in: response) ?? page.total
    var shown: [UInt8]? = response.body
    if case .versions(let batch, let fetch) = feed.contents, !page.versions.isEmpty {
      sample.failures = page.failures
      (page, shown) = try await records(
        for: page.versions.prefix(batch).map(\.id), at: cursor, with: fetch)
    }
    sample.failures += page.failures
    sample.rows = page.records.count + page.removals.count + page.failures.count
    if let feed = feed as? any FieldExplaining {
      try await addDeletions(of: feed, before: response.serverTime, to: &sample)
      guard sample.rows > 0, let shown else { return sample }
      sample.fields = try feed.readings(of: shown)
    } else if let first = page.records.first {
      sample.fields = FieldValues(of: first, elements: 1).values.map {
        FieldReading(field: $0.field, value: $0.text)
      }
    }
    return sample
  }

  /// Fetches records of a list of versions, and returns them with the body of the first response.
  private func records(
    for ids: [String], at cursor: Feed.Cursor,
    with fetch: ListContents<Feed.Record, Feed.Cursor>.Fetch
  ) async throws -> (page: Page<[Feed.Record], Feed.Cursor>, answer: [UInt8]?) {
    let answers = Mutex<[Response]>([])
    var page = try await fetch(ids, cursor) { [client] request in
      let answer = try await client.ask(request)
      answers.withLock { $0.append(answer) }
      return answer
    }
    page.failures += RowFailure.unanswered(
      of: ids, records: page.records.map(\.id), removals: page.removals, failures: page.failures)
    return (page, answers.withLock { $0.first?.body })
  }

  /// Counts the records deleted within the last day, if the server lists them.
  private func addDeletions(
    of feed: some FieldExplaining, before instant: Timestamp, to sample: inout ResourceSample
  ) async throws {
    let day: Int64 = 86_400
    guard let request = try feed.deletionsRequest(since: instant.adding(seconds: -day)) else {
      return
    }
    let deleted = try feed.deletions(try await client.ask(request))
    sample.deletions = deleted.removals.count
    sample.failures += deleted.failures
  }
}
