import Foundation
import Logging
import Models
import Networking
import Storage
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Pages that have arrived are stored together while they are small and few.
@Suite(.timeLimit(.minutes(10))) struct PendingPageTests {
  private typealias Feed = XeroFeed<XeroInvoices>
  private typealias Writer = RunWriter<Feed>

  /// Returns a page with as many records as kilobytes.
  private func page(
    _ kilobytes: Int, in store: ResourceStore<Invoice>
  ) throws -> EncodedPage<XeroCursor> {
    let currency = try #require(Currency(code: "EUR"))
    var page = Page<[Invoice], XeroCursor>(resume: XeroCursor(tenantID: "t"))
    page.records = (0..<kilobytes).map {
      var invoice = Invoice(
        id: "\($0)", type: .invoice, status: .open, rawStatus: "open", currency: currency,
        total: .zero)
      invoice.reference = String(repeating: "x", count: 1_000)
      return invoice
    }
    return page.with(store.encode(page.records))
  }

  @Test(
    "a few small pages wait for the next; large ones and those of a limited run do not"
  )
  func bounds() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let store = database.invoiceStore
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "xero", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 0), watermarkBefore: nil))
    func canWait(_ sizes: [Int], isDryRun: Bool = false, limit: Int? = nil) throws -> Bool {
      var options = SyncOptions()
      options.limit = limit
      let writer = Writer(
        store: isDryRun ? store.beginDryRun(account: "default") : run,
        organisation: ProvenOrganisation(
          account: "default", source: "xero:t", login: "constant", signIn: SignInSource()),
        options: options, marksSeen: false, clock: .system,
        log: SyncLog(account: "default", resource: .invoices, logger: .silent), progress: { _ in },
        traits: FeedTraits(provider: "xero", changes: .watermark, identifiesOrganisation: true))
      return writer.canWait(
        try sizes.map { size in
          try writer.pending(
            page(size, in: store),
            checkpoint: Checkpoint(cursor: XeroCursor(tenantID: "t"), pass: .first),
            source: "xero:t")
        })
    }
    #expect(try canWait([100]))
    #expect(try canWait([100, 100, 100]))
    #expect(try canWait([500, 500, 450]))
    #expect(try !canWait([500, 500, 500, 500]))
    #expect(try canWait(Array(repeating: 1, count: 19)))
    #expect(try !canWait(Array(repeating: 1, count: 20)))
    #expect(try !canWait([1_600]))
    #expect(try !canWait([10], limit: 100))
    #expect(try !canWait([10], isDryRun: true))
    try await database.close()
  }

  @Test(
    "pages that have arrived let others follow while they are small, up to four times as many",
    arguments: [(records: 10, requested: 8), (records: 1_600, requested: 2)])
  func ahead(records: Int, requested: Int) async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let arriving = try page(records, in: database.invoiceStore)
    let requests = Mutex((underWay: 0, most: 0, all: 0))
    let ahead = Prefetcher<Int, XeroCursor>(limit: 2) {
      $0 + 1
    } read: { _ in
      requests.withLock {
        $0.all += 1
        $0.underWay += 1
        $0.most = max($0.most, $0.underWay)
      }
      await Task.yield()
      requests.withLock { $0.underWay -= 1 }
      return arriving
    }
    ahead.prepare([1])
    // Nobody takes a page meanwhile, as while others are stored.
    try await eventually("the pages have arrived") {
      requests.withLock { $0.all == requested && $0.underWay == 0 }
    }
    try await eventually("the first is there") { ahead.hasArrived(1) }
    #expect(!ahead.hasArrived(2))
    ahead.prepare([1])
    #expect(requests.withLock { $0.all } == requested)
    for number in 1...requested {
      #expect(try await ahead.removeFirst().value.records.byteCount == arriving.records.byteCount)
      ahead.prepare([number + 1])
    }
    #expect(requests.withLock { $0.most } <= 2)
    ahead.abandon()
    try await database.close()
  }

  /// Returns a prefetcher of numbered pages without records.
  private func numbered(
    limit: Int, mostAhead: Int? = nil, noting requested: RequestedPages,
    _ arrive: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) -> Prefetcher<Int, XeroCursor> {
    Prefetcher(limit: limit, mostAhead: mostAhead) {
      $0 + 1
    } read: { number in
      requested.note(number)
      try await arrive(number)
      return EncodedPage(records: EncodedRecords(), resume: XeroCursor(tenantID: "t"))
    }
  }

  @Test("nothing follows a page that failed, however many pages before it arrive or are taken")
  func failedPage() async throws {
    let (requested, gate) = (RequestedPages(), Gate())
    let ahead = numbered(limit: 4, noting: requested) { number in
      if number == 3 { throw SyncError.serverFailed(status: 500) }
      await gate.wait()
    }
    ahead.prepare([1])
    let pages = (1...3).map { _ in ahead.removeFirst() }
    await #expect(throws: SyncError.self) { try await pages[2].value }
    gate.open()
    for page in pages.prefix(2) { _ = try await page.value }
    try await eventually("the page after it has arrived") { ahead.hasArrived(4) }
    ahead.prepare([4])
    // What is needed is requested, and others follow it.
    ahead.prepare([100])
    _ = try await ahead.removeFirst().value
    try await eventually("others follow") { requested.all.contains(103) }
    #expect(requested.all.filter { $0 < 100 }.sorted() == [1, 2, 3, 4])
    ahead.abandon()
  }

  @Test("pages that were fetched for a wrong prediction are cancelled, and others take their place")
  func wrongPrediction() async throws {
    let (requested, gate) = (RequestedPages(), Gate())
    let ahead = numbered(limit: 2, noting: requested) { number in
      if number < 10 { await gate.wait() }
      try Task.checkCancellation()
    }
    ahead.prepare([1])
    try await eventually("two are under way") { requested.all.sorted() == [1, 2] }
    ahead.prepare([10])
    // The first is requested at once, although two requests have not ended yet.
    #expect(try await ahead.removeFirst().value.records.byteCount == 0)
    #expect(requested.all.sorted() == [1, 2, 10])
    gate.open()
    ahead.prepare([11])
    #expect(try await ahead.removeFirst().value.records.byteCount == 0)
    #expect(requested.all.contains(11) && !requested.all.contains(3))
    ahead.abandon()
  }

  @Test("as many pages are ahead as a limited run lets be, however small they are")
  func limited() async throws {
    let requested = RequestedPages()
    let ahead = numbered(limit: 2, mostAhead: 2, noting: requested)
    ahead.prepare([1])
    try await eventually("both are requested") { requested.all.count == 2 }
    try await eventually("the first is there") { ahead.hasArrived(1) }
    #expect(requested.all.sorted() == [1, 2])
    _ = try await ahead.removeFirst().value
    ahead.prepare([2])
    try await eventually("one follows") { requested.all.sorted() == [1, 2, 3] }
    try await eventually("the next is there") { ahead.hasArrived(2) }
    ahead.prepare([2])
    #expect(requested.all.sorted() == [1, 2, 3])
    ahead.abandon()
  }
}

/// The pages that were requested.
private final class RequestedPages: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: [Int] { numbers.withLock { $0 } }

  func note(_ number: Int) { numbers.withLock { $0.append(number) } }
}
