public import Models
package import Networking
package import Storage
import Synchronization
package import SystemSupport

/// One page of a resource that was read but not stored.
public struct ResourceSample: Sendable {
  /// The resource that was read.
  public let resource: Resource
  /// The number of rows on the page.
  public internal(set) var rows = 0
  /// The number of records in the whole list, if the page states it.
  public internal(set) var count: Int?
  /// The number of records deleted within the last day, according to one page of the list of
  /// deletions; `nil` if no such list is described.
  public internal(set) var deletions: Int?
  /// True if there is another page.
  public internal(set) var hasMore = false
  /// The server's clock when it answered; `nil` if it does not state it.
  public internal(set) var serverTime: Timestamp?
  /// The rows that could not be read.
  public internal(set) var failures: [RowFailure] = []
  /// The fields of the first row, each with its raw and its parsed value.
  public internal(set) var fields: [FieldReading] = []
  /// The words that the provider sends in place of appcore's, the most frequent of a field first.
  public internal(set) var words: [WordReading] = []
  /// The words that the description lacks, and the paths that no row has, each as a sentence
  /// without an end.
  public internal(set) var warnings: [String] = []
  /// The identifiers of the records.
  var ids: [String] = []
  fileprivate var payments: [String: SamplePayments] = [:]

  init(resource: Resource) {
    self.resource = resource
  }

  /// Returns a warning about identifiers that other lists of the same kind have too, of which one
  /// record would replace the other; `nil` if there are none.
  package func warning(ofIdentifiersIn others: [ResourceSample]) -> String? {
    for other in others
    where other.resource.kind == resource.kind && other.resource != resource {
      let shared = Set(ids).intersection(other.ids).sorted()
      guard let first = shared.first else { continue }
      return
        "identifiers such as `\(first.prefix(60))` (\(shared.count) on the page) are in the "
        + "\(other.resource) too: a sync does not replace one record by another, so set a prefix at "
        + "fields.id of one of the lists, and where others name its records"
    }
    return nil
  }

  /// Returns a warning about payments inside invoices that a list of payments hides, because others
  /// have their identifiers; `nil` if there are none.
  package func warning(ofPaymentsIn others: [ResourceSample]) -> String? {
    guard resource.kind == .payments else { return nil }
    for other in others where other.resource.kind == .invoices {
      let shared = other.payments.filter { id, inside in
        payments[id]?.isOther(than: inside) ?? false
      }
      guard let first = shared.keys.min() else { continue }
      return
        "identifiers such as `\(first.prefix(60))` (\(shared.count) on the page) are those of other "
        + "payments inside the \(other.resource) too, which no list of payments would show: set a "
        + "prefix at the id of one of the two"
    }
    return nil
  }

  /// Reads one page of a feed, and stores nothing.
  ///
  /// - Throws: ``SyncError``, and the errors of the session and the authenticator.
  package init(
    reading feed: some ResourceFeed, of resource: Resource, over session: Session,
    clock: TimeSource = .system
  ) async throws {
    do {
      self = try await SampleReader(feed: feed, session: session, clock: clock)
        .sample(of: resource)
    } catch is CursorExpired {
      throw ResourceSync.listNotFound
    }
  }
}

/// One field of a row, with its raw and its parsed value.
public struct FieldReading: Sendable, Equatable {
  /// The name of the field in appcore.
  public let field: String
  /// The place in the row; `nil` if the provider's code computes the field, or it is a constant.
  public let path: String?
  /// The raw value, as far as it is known; `nil` if there is none.
  public let found: String?
  /// The parsed value; `nil` if there is none.
  public let value: String?
  /// The problem with the raw value.
  public let problem: String?

  package init(
    field: String, path: String? = nil, found: String? = nil, value: String? = nil,
    problem: String? = nil
  ) {
    self.field = field
    self.path = path
    self.found = found
    self.value = value
    self.problem = problem
  }
}

/// A word of the provider for one of appcore's, such as a status.
public struct WordReading: Sendable, Equatable {
  /// The name of the field in appcore.
  public let field: String
  /// The provider's word, or the key of the description's map that stands for it; `nil` for
  /// records without one.
  public let word: String?
  /// The word of appcore; `nil` if it is not known.
  public let meaning: String?
  /// The number of records with the word.
  public let count: Int

  package init(field: String, word: String?, meaning: String?, count: Int) {
    (self.field, self.word, self.meaning, self.count) = (field, word, meaning, count)
  }
}

/// A request that tries the filter for changes.
package struct ChangesTrial: Sendable {
  /// The result of the trial.
  package typealias Result = (value: String, problem: String?, warning: String?)

  /// The query item or the header field of the filter.
  package let filter: String
  /// The text of the filter.
  package let text: String
  package let request: Request
  /// Returns what a response shows of the filter.
  package let result: @Sendable (Response) throws -> Result

  package init(
    filter: String, text: String, request: Request,
    result: @escaping @Sendable (Response) throws -> Result
  ) {
    (self.filter, self.text, self.request, self.result) = (filter, text, request, result)
  }
}

/// A feed that can explain how it reads each field.
package protocol FieldExplaining: Sendable {
  /// Returns the number of records in the whole list, if a response states it.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the place of the number holds
  ///   something else.
  func total(in response: Response) throws -> Int?

  /// Returns how the fields of the first row of a response are read; empty if it has no row.
  func readings(of body: [UInt8]) throws -> [FieldReading]

  /// Returns the words in responses, and what these and the description do not have in common: the
  /// words that it lacks, and the paths that no row has.
  func words(in bodies: [[UInt8]]) throws -> (words: [WordReading], warnings: [String])

  /// Returns the request for the changes since the newest row of the first page; `nil` if the
  /// server lists no changes.
  func changesTrial(after page: Response) throws -> ChangesTrial?

  /// Returns the request for the records deleted since an instant; `nil` if the server has no list
  /// of them.
  func deletionsRequest(since instant: Timestamp) throws -> Request?

  func deletions(_ response: Response) throws -> (removals: [Removal], failures: [RowFailure])
}

/// Reads one page of a list, to show its contents.
private struct SampleReader<Feed: ResourceFeed> {
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
    var shown = [response.body]
    if case .versions(let batch, let fetch) = feed.contents {
      shown = []
      let ids = page.versions.prefix(batch).map(\.id)
      if !ids.isEmpty {
        sample.failures = page.failures
        (page, shown) = try await records(for: ids, at: cursor, with: fetch)
      }
    }
    sample.failures += page.failures
    sample.ids = page.records.map(\.id)
    sample.payments = SamplePayments.all(in: page.records)
    sample.rows = page.records.count + page.removals.count + page.failures.count
    if let feed = feed as? any FieldExplaining {
      if sample.rows > 0, let first = shown.first {
        sample.fields = try feed.readings(of: first)
        (sample.words, sample.warnings) = try feed.words(in: shown)
      }
      try await addChanges(of: feed, after: response, to: &sample)
      try await addDeletions(of: feed, before: response.serverTime, to: &sample)
    } else if let first = page.records.first as? any FieldListing {
      sample.fields = FieldValues(of: first, elements: 1).values.map {
        FieldReading(field: $0.field, value: $0.text)
      }
    }
    return sample
  }

  /// Fetches records of a list of versions, and returns them with the bodies of the responses.
  private func records(
    for ids: [String], at cursor: Feed.Cursor,
    with fetch: ListContents<Feed.Record, Feed.Cursor>.Fetch
  ) async throws -> (page: Page<[Feed.Record], Feed.Cursor>, bodies: [[UInt8]]) {
    let answers = Mutex<[Response]>([])
    var page = try await fetch(ids, cursor) { [client] request in
      let answer = try await client.ask(request)
      answers.withLock { $0.append(answer) }
      return answer
    }
    page.failures += RowFailure.unanswered(
      of: ids, at: client.feed.traits.recordAddressKey, records: page.records.map(\.id),
      removals: page.removals, failures: page.failures)
    return (page, answers.withLock { $0.map(\.body) })
  }

  /// Tries the filter for changes, so that a wrong one is found before the second sync.
  private func addChanges(
    of feed: some FieldExplaining, after page: Response, to sample: inout ResourceSample
  ) async throws {
    guard let trial = try feed.changesTrial(after: page) else { return }
    var (value, problem, warning): (String?, String?, String?)
    do {
      (value, problem, warning) = try trial.result(try await client.ask(trial.request))
    } catch let error as SyncError {
      switch error {
      case .accessDenied, .serverFailed, .unreadable:
        problem = error.description + (error.providerMessage.map { ": \($0.text)" } ?? "")
      default: throw error
      }
    }
    sample.warnings += warning.map { [$0] } ?? []
    sample.fields.append(
      FieldReading(
        field: "changes", path: trial.filter, found: trial.text, value: value, problem: problem))
  }

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

/// The payments with one identifier on a page.
private struct SamplePayments {
  let currency: Currency
  /// The parts that pay invoices, or the parts inside invoices.
  private(set) var parts: [ExactDecimal] = []
  /// The whole amount; `nil` for payments inside invoices.
  var amount: ExactDecimal?

  /// The payments of a page, by their identifiers.
  static func all(in records: [some SyncedRecord]) -> [String: SamplePayments] {
    var found: [String: SamplePayments] = [:]
    for record in records {
      switch record {
      case let payment as Payment:
        found[payment.id] = SamplePayments(
          currency: payment.currency, parts: payment.allocations.map(\.amount.magnitude),
          amount: payment.amount.magnitude)
      case let invoice as Invoice:
        for payment in invoice.payments {
          guard let id = payment.id else { continue }
          found[id, default: SamplePayments(currency: invoice.currency)].parts
            .append(payment.amount.magnitude)
        }
      default: break
      }
    }
    return found
  }

  /// Returns whether a payment of a list cannot be the one that invoices have under its identifier.
  ///
  /// It may pay several invoices, of which each has its part.
  func isOther(than inside: SamplePayments) -> Bool {
    guard let amount, currency == inside.currency else { return false }
    guard parts.isEmpty else { return Set(parts + [amount]).isDisjoint(with: inside.parts) }
    return DecimalSum(inside.parts) > DecimalSum(amount)
  }
}
