import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// A front end follows what it shows, whoever changes it.
@Suite(.timeLimit(.minutes(10))) struct ObservationTests {
  private let instant = Timestamp(microsecondsSinceEpoch: 1)

  private var start: RunStart {
    RunStart(
      account: "default", provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil)
  }

  private func store(_ id: String, in database: LocalDatabase) async throws {
    let run = try await database.invoiceStore.beginRun(start)
    _ = try await run.commit([page(id, in: database)])
  }

  private func page(_ id: String, in database: LocalDatabase) throws -> PendingPage {
    var page = PendingPage(source: "s", instant: instant)
    let invoice = Invoice(
      id: id, type: .invoice, status: .open, rawStatus: "o",
      currency: try #require(Currency(code: "EUR")), total: .zero)
    page.records = database.invoiceStore.encode([invoice])
    return page
  }

  @Test("an observer sees commits of this and of another process, and no irrelevant ones")
  func observe() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    var updates = database.observe(InvoiceQuery(), every: .milliseconds(5)).makeAsyncIterator()
    #expect(try await updates.next()?.isEmpty == true)
    try await store("a", in: database)
    #expect(try await updates.next()?.map(\.invoice.id) == ["a"])
    // Runs are no invoices; the next update is that of another connection, as another process has.
    _ = try await database.contactStore.beginRun(start)
    let other = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await store("b", in: other)
    #expect(try await updates.next()?.map(\.invoice.id).sorted() == ["a", "b"])
    try await other.close()
    try await database.close()
  }

  @Test("a waiting follower sees a commit when it happens, not when an interval ends")
  func immediately() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    let other = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    // The run begins first: its own commit would make the follower rest for the whole interval.
    let run = try await other.invoiceStore.beginRun(start)
    // The interval of a follower that polled would be longer than the test may take.
    var updates = database.observe(InvoiceQuery(), every: .seconds(3600)).makeAsyncIterator()
    #expect(try await updates.next()?.isEmpty == true)
    _ = try await run.commit([page("a", in: other)])
    #expect(try await updates.next()?.map(\.invoice.id) == ["a"])
    try await other.close()
    try await database.close()
  }

  @Test("a follower continues with the file that replaces the followed one")
  func replacedFile() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let old = try await LocalDatabase.open(at: path)
    try await store("a", in: old)
    var updates = old.observe(InvoiceQuery(), every: .milliseconds(5)).makeAsyncIterator()
    var changes = old.changesFromNow().makeAsyncIterator()
    #expect(try await updates.next()?.map(\.invoice.id) == ["a"])
    #expect(try await changes.next() != nil)
    for name in ["b", "c"] {
      _ = try DamagedFile(path: path).quarantine(at: Timestamp(Date()))
      let new = try await LocalDatabase.open(at: path)
      try await store(name, in: new)
      // The new file may be seen before there is anything in it.
      while try await updates.next()?.map(\.invoice.id) != [name] {}
      #expect(try await changes.next() != nil)
      try await new.close()
    }
    try await old.close()
  }

  @Test("a follower of changes from now on hears of records, not of runs that changed none")
  func unchanged() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await store("a", in: database)
    var changes = database.changesFromNow().makeAsyncIterator()
    let first = try await changes.next()
    // A run that finds the same record, another account's run, and a run that finds a new one.
    try await store("a", in: database)
    _ = try await database.contactStore.beginRun(start)
    try await store("b", in: database)
    let second = try await changes.next()
    #expect(second?.changes == (first?.changes ?? 0) + 1)
    try await database.forgetRecords(account: "default")
    #expect(try await changes.next()?.accounts == "")
    try await database.close()
  }

  @Test("a commit during the first query is seen by the second")
  func firstLook() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    let counts: AsyncThrowingStream<Int, any Error> = database.following(every: .milliseconds(5)) {
      database, known, isFirst in
      let count = try await database.invoiceCount(account: nil)
      if isFirst { try await self.store("a", in: database) }
      return count == known ? nil : count
    }
    var updates = counts.makeAsyncIterator()
    #expect(try await updates.next() == 0)
    #expect(try await updates.next() == 1)
    try await database.close()
  }

  @Test("a follower that stops ends the queries")
  func cancelled() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    let begun = Gate()
    let follower = Task {
      for try await _ in database.observe(InvoiceQuery(), every: .milliseconds(5)) { begun.open() }
    }
    await begun.wait()
    follower.cancel()
    _ = await follower.result
    try await database.close()
  }

  @Test("a reader gets every invoice with its lines, until it stops")
  func export() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    for id in ["a", "b", "c"] { try await store(id, in: database) }
    let seen = Counter()
    try await database.forEachInvoice(matching: InvoiceQuery()) { _ in seen.increment() }
    #expect(seen.value == 3)
    struct Enough: Error {}
    await #expect(throws: Enough.self) {
      try await database.forEachInvoice(matching: InvoiceQuery()) { _ in throw Enough() }
    }
    try await database.close()
  }
}
