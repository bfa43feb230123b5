import ErrorCodes
import Foundation
import Models
import Networking
import Sandbox
import Synchronization
import TestSupport
import Testing

@testable import Documents
@testable import Storage

/// Runs that fetch the files of invoices, in each provider's way.
@Suite(.timeLimit(.minutes(10)), .cleansUp)
struct DocumentSyncTests {
  /// The invoices of the tests of everything; `APPCORE_DOCUMENT_INVOICES` sets more.
  private static let count =
    ProcessInfo.processInfo.environment["APPCORE_DOCUMENT_INVOICES"].flatMap { Int($0) } ?? 40

  @Test(
    "every file is stored as it is served, and a second run sends nothing",
    arguments: DocumentScene.providers)
  func everything(provider: SandboxProvider) async throws {
    let scene = try await DocumentScene(provider, invoices: Self.count) {
      $0.documents.attachments = 4
    }
    let report = try await scene.fetch()
    let served = try await scene.served()
    #expect(report.stored == served.count && report.isComplete && report.failed == 0)
    #expect(report.bytes == served.values.reduce(0) { $0 + $1.size })
    try await scene.expectServed()
    let before = await scene.requests()
    let again = try await scene.fetch()
    #expect(again.stored == 0 && again.unchanged == served.count && again.requests == 0)
    #expect(await scene.requests() == before)
    let attachments = served.keys.count { $0.kind == .attachment }
    print(
      "documents: \(provider) has \(served.count - attachments) PDFs and \(attachments) attachments; "
        + "unchanged in \(again.duration)")
    #expect(await scene.server.statistics().linkRequestsWithCredentials == 0)
  }

  @Test("a file that came with another sign-in than the proved one is not stored")
  func otherSignIn() async throws {
    struct OtherSignIn: Error {}
    let scene = try await DocumentScene(.moneybird)
    let checks = Mutex(0)
    let sync = DocumentSync(
      account: "default", provider: "Moneybird", source: scene.source, session: scene.session,
      database: scene.database, store: scene.store
    ) { _ in
      {
        let isFirst = checks.withLock { count in
          count += 1
          return count == 1
        }
        guard isFirst else { throw OtherSignIn() }
      }
    }
    await #expect(throws: OtherSignIn.self) { try await sync.run(DocumentSyncOptions()) }
    #expect(checks.withLock { $0 } > 1 && scene.objects().count <= 1)
    try await scene.fetch()
    try await scene.expectServed()
  }

  @Test("e-invoices are fetched for whoever asks for them")
  func ubl() async throws {
    let scene = try await DocumentScene(.moneybird)
    try await scene.fetch { $0.kinds = [.ubl] }
    try await scene.expectServed([.ubl])
  }

  @Test(
    "one changed invoice has its PDF fetched again and no other, and the older version stays",
    arguments: DocumentScene.providers)
  func changed(provider: SandboxProvider) async throws {
    let scene = try await DocumentScene(provider, invoices: Self.count)
    try await scene.fetch()
    let (before, objects) = (try await scene.stored(), scene.objects())
    // An invoice that is rendered, whichever the seed chooses.
    var seed: UInt64 = 0
    var key: DocumentScene.Key?
    while key == nil {
      seed += 1
      let id = try #require(scene.server.changeInvoices(count: 1, seed: seed).first)
      try await scene.syncInvoices()
      let stale = try await scene.stored().filter { $0.value.isStale && $0.value.kind == .pdf }
      #expect(stale.count <= 1, "\(id)")
      key = stale.keys.first
      if key == nil { try await scene.fetch { $0.kinds = [.pdf] } }
    }
    let changed = try #require(key)
    let report = try await scene.fetch { $0.kinds = [.pdf] }
    #expect(report.stored == 1 && report.failed == 0)
    let after = try await scene.stored()
    #expect(after[changed]?.sha256 != before[changed]?.sha256 && after[changed]?.isStale == false)
    for (key, document) in before where key != changed && key.kind == .pdf {
      #expect(after[key]?.sha256 == document.sha256)
    }
    #expect(scene.objects().isSuperset(of: objects) && scene.objects().count == objects.count + 1)
    try await scene.fetch()
    try await scene.expectServed()
  }

  @Test("a file that arrived in a run that could not store it is not requested again")
  func arrived() async throws {
    let scene = try await DocumentScene()
    let all = try await scene.database.invoiceKeys(matching: InvoiceQuery())
    let invoice = try #require(
      try await scene.database.documentedInvoices(withKeys: all).first {
        scene.source.renders(.pdf, of: $0.stored.invoice)
      })
    func fetch() async throws -> DocumentReport {
      try await scene.fetch { ($0.kinds, $0.keys) = ([.pdf], [invoice.key]) }
    }
    let before = await scene.requests()
    // Nothing can come into a store whose folder of objects is a file.
    try FileManager.default.createDirectory(
      atPath: scene.store.folder, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: scene.store.objects))
    await #expect(throws: DocumentError.self) { try await fetch() }
    try FileManager.default.removeItem(atPath: scene.store.objects)
    #expect(try await fetch().stored == 1)
    #expect(await scene.requests() == before + 1)
  }

  @Test("a new attachment of an unchanged invoice is found a day later, with one request")
  func laterAttachments() async throws {
    let clock = ManualClock()
    let scene = try await DocumentScene(.quickbooks, time: clock.source)
    try await scene.fetch()
    let served = try await scene.served([.attachment]).count
    func stored() async throws -> Int {
      try await scene.stored().values.count { $0.kind == .attachment && $0.state == .stored }
    }
    #expect(try await stored() == served && served > 0)
    // As if none had been there when the lists were read.
    let keys = try await scene.database.invoiceKeys(matching: InvoiceQuery())
    for invoice in try await scene.database.documentedInvoices(withKeys: keys) {
      try await scene.database.record(
        attachments: [], of: invoice, at: Timestamp(clock.wall))
    }
    #expect(try await scene.fetch().requests == 0)
    #expect(try await stored() == 0)
    // A second more, because a file system rounds times.
    clock.advance(by: .seconds(86_401))
    let report = try await scene.fetch()
    #expect(report.requests == 1 && report.isComplete, "\(report)")
    #expect(try await stored() == served)
    #expect(try await scene.fetch().requests == 0)
  }

  @Test("stored files are never fetched again, or all of them, as the options say")
  func refresh() async throws {
    let scene = try await DocumentScene(.stripe, invoices: 80) { $0.documents.rendersAnew = true }
    let stored = try await scene.fetch().stored
    scene.server.changeInvoices(count: 80, seed: 3)
    try await scene.syncInvoices()
    let never = try await scene.fetch { $0.refresh = .never }
    #expect(never.stored == 0 && never.unchanged == stored && never.requests == 0)
    let first = scene.objects()
    #expect(try await scene.fetch { $0.refresh = .all }.stored == stored)
    #expect(scene.objects().count == 2 * first.count && scene.objects().isSuperset(of: first))
  }

  @Test("a dry run counts what is missing, and neither sends nor stores anything")
  func dryRun() async throws {
    let scene = try await DocumentScene(.stripe)
    let before = await scene.requests()
    let report = try await scene.fetch { $0.isDryRun = true }
    let count = try await scene.served().count
    #expect(report.stored == count && report.isDryRun)
    #expect(await scene.requests() == before)
    #expect(try await scene.stored().isEmpty && scene.objects().isEmpty)
  }

  @Test("a run ends at its limit with the newest files, and later runs fetch the rest")
  func limit() async throws {
    let scene = try await DocumentScene(.stripe, invoices: 80)
    let all = try await scene.served().count
    let report = try await scene.fetch { $0.limit = 3 }
    #expect(report.stored == 3 && report.ending == .limit && report.code == .budgetSpent)
    var query = InvoiceQuery()
    query.sort = .issueDate
    let keys = try await scene.database.invoiceKeys(matching: query)
    let invoices = try await scene.database.documentedInvoices(withKeys: keys)
      .filter { scene.source.renders(.pdf, of: $0.stored.invoice) }
    #expect(invoices.prefix(3).allSatisfy { $0.documents.first?.state == .stored })
    #expect(invoices.dropFirst(3).allSatisfy { $0.documents.isEmpty })
    let rest = try await scene.fetch { $0.limit = all - 3 }
    #expect(rest.stored == all - 3 && rest.ending == nil && rest.unchanged == 3)
    try await scene.expectServed()
  }

  @Test("a run begins no file after its time is up")
  func duration() async throws {
    let clock = ManualClock()
    let scene = try await DocumentScene(.stripe, time: clock.source)
    let isUp = Mutex(false)
    let report = try await scene.fetch {
      $0.maximumDuration = .seconds(60)
    } progress: { progress in
      isUp.withLock { isUp in
        if progress.stored == 2, !isUp { clock.advance(by: .seconds(61)) }
        isUp = isUp || progress.stored == 2
      }
    }
    #expect(report.ending == .duration && report.code == .budgetSpent)
    // Those that were under way are finished: four requests, and two files that had arrived.
    #expect((2...8).contains(report.stored))
    try await scene.fetch()
    try await scene.expectServed()
  }

  @Test("a run waits for no limit that lasts longer than its time")
  func waitWithinDuration() async throws {
    let clock = ManualClock()
    let scene = try await DocumentScene(.stripe, time: clock.source)
    scene.server.armFault(
      Fault(
        path: "/v1/invoices/*", kind: .status, times: 1_000, status: 429,
        headers: ["Retry-After": "50"]))
    let begin = clock.now
    let report = try await scene.fetch {
      ($0.kinds, $0.invoices.types) = ([.pdf], [.invoice])
      ($0.maximumWait, $0.maximumDuration) = (.seconds(55), .seconds(60))
    } progress: { _ in
      // The first call is for the invoices that were read, before any file begins.
      if clock.now == begin { clock.advance(by: .seconds(20)) }
    }
    #expect(report.ending == .rateLimit && report.stored == 0)
    #expect(report.retryAt == Timestamp(clock.wall.addingTimeInterval(50)))
    scene.server.clearFaults()
    try await scene.fetch()
    try await scene.expectServed()
  }

  @Test("a cancelled run throws, keeps what was stored, and leaves nothing partial")
  func cancelled() async throws {
    let scene = try await DocumentScene(.moneybird) { $0.documents.size = 200_000 }
    scene.server.armFault(Fault(path: "/d/*", kind: .trickle, skip: 3, times: 1_000))
    let slow = Gate()
    let stored = Mutex(0)
    let run = Task {
      try await scene.fetch { _ in
      } progress: { progress in
        stored.withLock { $0 = progress.stored }
        if progress.stored == 3, progress.bytes > 3 * 200_000 { slow.open() }
      }
    }
    await slow.wait()
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.joined }
    let rows = try await scene.stored().values.filter { $0.state == .stored }
    #expect(rows.count == 3 && scene.objects() == Set(rows.compactMap(\.sha256)))
    for object in scene.objects() { #expect(try await scene.store.isWhole(object)) }
    scene.server.answerDelayedRequests()
    try await scene.fetch()
    try await scene.expectServed()
    #expect(
      SampleDocuments.files(in: scene.store.folder).allSatisfy {
        $0.hasPrefix("objects/") || $0.hasSuffix(".lock")
      })
  }

  @Test("two runs of one account exclude each other")
  func together() async throws {
    let scene = try await DocumentScene(.stripe)
    scene.server.armFault(
      Fault(path: "/d/*", kind: .delay, delayMilliseconds: 3_600_000))
    let first = Task { try await scene.fetch() }
    try await eventually("the first run is under way") {
      await scene.server.statistics().faultsApplied == 1
    }
    await #expect {
      try await scene.fetch()
    } throws: {
      ($0 as? DocumentError)?.code == .alreadyRunning
    }
    scene.server.answerDelayedRequests()
    #expect(try await first.joined.isComplete)
  }

  @Test("a kind that the provider does not give is an error for whoever names it")
  func unsupported() async throws {
    let scene = try await DocumentScene(.stripe, invoices: 3)
    await #expect {
      try await scene.fetch { $0.kinds = [.pdf, .attachment] }
    } throws: {
      "\($0)" == "Stripe gives no attachments of invoices"
    }
  }
}
