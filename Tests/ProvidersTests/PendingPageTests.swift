import Foundation
import Logging
import Models
import Networking
import Storage
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

  @Test("pages that have arrived let others arrive while they are small and few")
  func ahead() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let (small, large) = try (
      page(10, in: database.invoiceStore), page(1_600, in: database.invoiceStore)
    )
    for (arriving, mayGrow) in [(small, true), (large, false)] {
      let gate = Gate()
      var ahead = Prefetcher<Int, XeroCursor>()
      ahead.append(1) { arriving }
      ahead.append(2) {
        await gate.wait()
        return arriving
      }
      let first = ahead
      try await eventually("the first is there") { first.hasArrived(1) }
      #expect(ahead.mayGrow(2) == mayGrow)
      #expect(!ahead.mayGrow(1))
      #expect(!ahead.hasArrived(2))
      gate.open()
      ahead.abandon()
    }
    try await database.close()
  }
}
