import ErrorCodes
import Foundation
import Models
import Networking
import SystemSupport
import TestSupport
import Testing

@testable import Documents
@testable import Sandbox
@testable import Storage

/// Answers in the place of files: what is no file is not stored, and each one is named.
@Suite(.timeLimit(.minutes(10)), .cleansUp)
struct DocumentAnswerTests {
  private static let answers: [(fault: Fault, reason: String)] = [
    (Fault(path: "", kind: .html, times: 1_000), "it is no PDF, but a web page"),
    (
      Fault(path: "", kind: .replace, times: 1_000, body: #"{"error": "no"}"#),
      "it is no PDF, but JSON"
    ),
    (Fault(path: "", kind: .status, times: 1_000, status: 200), "it is empty"),
    (Fault(path: "", kind: .malformed, times: 1_000), "it is cut off"),
    (Fault(path: "", kind: .truncate, times: 1_000), "it ends before its announced length"),
  ]

  // Edge case 72
  @Test(
    "a wrong answer with status 200 is not stored, and each file is named",
    arguments: DocumentScene.providers, DocumentAnswerTests.answers.indices)
  func wrong(provider: SandboxProvider, index: Int) async throws {
    let scene = try await DocumentScene(provider, invoices: 15)
    var query = InvoiceQuery()
    query.types = [.invoice]
    let asked = query
    let numbers = try await scene.database.invoices(matching: query).map(\.invoice)
      .filter { scene.source.renders(.pdf, of: $0) }.compactMap(\.number)
    var fault = Self.answers[index].fault
    fault.path = scene.pathOfPDFs
    scene.server.armFault(fault)
    let report = try await scene.fetch {
      ($0.kinds, $0.invoices) = ([.pdf], asked)
    }
    #expect(report.stored == 0 && report.failed == numbers.count && numbers.count > 2)
    #expect(Set(report.failures.compactMap(\.number)) == Set(numbers))
    let message = "the answer is not the file: " + Self.answers[index].reason
    #expect(report.failures.allSatisfy { $0.message == message }, "\(report.failures)")
    #expect(report.code?.exitStatus.rawValue == 65 && report.ending == nil)
    #expect(scene.objects().isEmpty)
    let rows = try await scene.stored().values
    #expect(rows.allSatisfy { $0.state == .failed && $0.errorCode == "unreadable-data" })
    scene.server.clearFaults()
    try await scene.fetch()
    try await scene.expectServed()
  }

  @Test("a wrong answer in the place of an invoice's list of attachments is a failure of it alone")
  func wrongList() async throws {
    let scene = try await DocumentScene(.xero)
    let invoice = try #require(
      try await scene.database.invoices(matching: InvoiceQuery()).map(\.invoice)
        .first { $0.hasAttachments == true && $0.type == .invoice })
    scene.server.armFault(
      Fault(path: "/api.xro/2.0/Invoices/\(invoice.id)/Attachments", kind: .html, times: 1))
    let report = try await scene.fetch()
    #expect(report.failed == 1 && report.stored > 1 && report.ending == nil)
    #expect(report.failures.first?.invoiceID == invoice.id && report.code == .unreadableData)
    try await scene.fetch()
    try await scene.expectServed()
  }

  @Test(
    "a list of all attachments that cannot be read is the error of the run, whose PDFs are stored",
    arguments: [
      Fault(path: "", kind: .html, times: 1_000),
      Fault(path: "", kind: .status, times: 1_000, status: 400),
      Fault(path: "", kind: .status, times: 1_000, status: 404),
    ])
  func wrongWholeList(fault: Fault) async throws {
    let scene = try await DocumentScene(.quickbooks)
    var fault = fault
    fault.path = "/v3/company/\(try #require(scene.server.tenantIDs.first))/query"
    scene.server.armFault(fault)
    let report = try await scene.fetch()
    #expect(report.stored > 1 && report.failed == 0 && report.failures.isEmpty && report.gone == 0)
    #expect(report.listFailure != nil && report.code == report.listFailure?.code)
    #expect(!report.isComplete)
    scene.server.clearFaults()
    try await scene.fetch()
    try await scene.expectServed()
  }

  // Edge case 72
  @Test(
    "an attachment of another length or another MD5 than stated is not stored",
    arguments: [Fault.Kind.malformed, .flip])
  func stated(kind: Fault.Kind) async throws {
    let scene = try await DocumentScene(.moneybird)
    let served = try await scene.served([.attachment])
    let hashes = Dictionary(
      uniqueKeysWithValues: try served.map { ($0.key.id, try Self.md5($0.value.bytes)) })
    let sync = DocumentSync(
      account: "default", provider: "Moneybird",
      source: StatingMD5(source: scene.source, state: hashes), session: scene.session,
      database: scene.database, store: scene.store)
    var options = DocumentSyncOptions()
    options.kinds = [.attachment]
    scene.server.armFault(Fault(path: "/d/*", kind: kind, times: 1_000))
    let report = try await sync.run(options)
    #expect(report.stored == 0 && report.failed == served.count && scene.objects().isEmpty)
    #expect(report.code?.exitStatus.rawValue == 65)
    let reason = kind == .flip ? "its MD5 differs" : "and the provider states"
    let isNamed = report.failures.allSatisfy { $0.message.contains(reason) }
    #expect(isNamed, "\(report.failures)")
    scene.server.clearFaults()
    #expect(try await sync.run(options).stored == served.count)
    try await scene.expectServed([.attachment])
  }

  private static func md5(_ bytes: [UInt8]) throws -> String {
    let digest = try Digest(.md5)
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  @Test("a UBL file that is cut off is not stored")
  func cutUBL() async throws {
    let scene = try await DocumentScene(.moneybird, invoices: 15)
    let administration = MoneybirdIdentifier.of(try #require(scene.server.tenantIDs.first))
    scene.server.armFault(
      Fault(path: "/api/v2/\(administration)/sales_invoices/*", kind: .malformed, times: 1_000))
    let report = try await scene.fetch { $0.kinds = [.ubl] }
    #expect(report.stored == 0 && report.failed > 0)
    #expect(report.failures.allSatisfy { $0.message.hasSuffix("it is cut off") })
  }

  @Test("a file that is not rendered yet is fetched by the next run")
  func notReady() async throws {
    let scene = try await DocumentScene(.xero)
    scene.server.armFault(Fault(path: scene.pathOfPDFs, kind: .status, times: 6, status: 204))
    let all = try await scene.served([.pdf]).count
    let report = try await scene.fetch { $0.kinds = [.pdf] }
    #expect(report.stored == all - 6 && report.failed == 6 && report.ending == nil)
    #expect(report.failures.allSatisfy { $0.code == .serverBusy })
    #expect(report.code?.exitStatus.rawValue == 75)
    #expect(try await scene.fetch { $0.kinds = [.pdf] }.stored == 6)
    try await scene.expectServed([.pdf])
  }

  @Test(
    "a file that the provider lacks ends nothing, and is not asked for again",
    arguments: [404, 406])
  func absent(status: Int) async throws {
    let scene = try await DocumentScene(.xero)
    let drafts = try await scene.fetch { ($0.kinds, $0.isDryRun) = ([.pdf], true) }.unsupported
    scene.server.armFault(Fault(path: scene.pathOfPDFs, kind: .status, status: status))
    let all = try await scene.served([.pdf]).count
    let report = try await scene.fetch { $0.kinds = [.pdf] }
    #expect(report.stored == all - 1 && report.failed == 0 && report.isComplete)
    #expect(report.code == nil)
    #expect(report.gone == (status == 404 ? 1 : 0))
    #expect(report.unsupported == drafts + (status == 406 ? 1 : 0))
    #expect(try await scene.fetch { $0.kinds = [.pdf] }.requests == 0)
  }

  // Edge case 73
  @Test("a missing scope is one request for the account, it is named, and the PDFs are stored")
  func scope() async throws {
    let scene = try await DocumentScene(.xero, invoices: 120, token: nil)
    for _ in 1...2 {
      let before = await scene.requests { $0.contains("Attachments") }
      let report = try await scene.fetch()
      #expect(await scene.requests { $0.contains("Attachments") } == before + 1)
      #expect(
        report.denial?.description
          == "the login lacks the permission accounting.attachments.read")
      #expect(report.code?.exitStatus.rawValue == 77 && !report.isComplete)
      #expect(report.failed == 0 && report.ending == nil)
      #expect(report.denied.map(\.kind) == [.attachment])
      #expect(report.denied.first?.scope == "accounting.attachments.read")
    }
    try await scene.expectServed([.pdf])
    let only = try await scene.fetch { $0.kinds = [.attachment] }
    #expect(only.ending == .denied && only.requests == 1)
  }

  // Edge case 74
  @Test(
    "a link that dies is asked for again",
    arguments: [SandboxProvider.quickbooks, .stripe, .moneybird])
  func deadLink(provider: SandboxProvider) async throws {
    let scene = try await DocumentScene(provider)
    for status in [403, 404, 410] {
      scene.server.armFault(Fault(path: "/d/*", kind: .status, status: status))
      let report = try await scene.fetch { $0.refresh = .all }
      #expect(report.isComplete && report.denial == nil, "\(report.failures)")
    }
    try await scene.expectServed()
  }

  @Test("links that are good for one use or a short time are enough")
  func shortLinks() async throws {
    for provider in [SandboxProvider.quickbooks, .stripe, .moneybird] {
      let scene = try await DocumentScene(provider) { $0.documents.singleUseLinks = true }
      // The rest of a file that was cut needs another link.
      scene.server.armFault(Fault(path: "/d/*", kind: .truncate))
      #expect(try await scene.fetch().isComplete)
      scene.server.moveClock(by: .seconds(40 * 86_400))
      #expect(try await scene.fetch { $0.refresh = .all }.isComplete)
      try await scene.expectServed()
    }
  }

  @Test("links that are always dead fail each file, and are no missing permission")
  func deadLinks() async throws {
    let scene = try await DocumentScene(.moneybird, invoices: 15)
    scene.server.armFault(Fault(path: "/d/*", kind: .status, times: 1_000, status: 403))
    let report = try await scene.fetch { $0.kinds = [.pdf] }
    let count = try await scene.served([.pdf]).count
    #expect(report.denial == nil && report.stored == 0 && report.failed == count && count > 2)
  }

  @Test("a server that fails for file after file ends the run, whose rest is left to the next")
  func outage() async throws {
    let scene = try await DocumentScene(.stripe, invoices: 80)
    scene.server.armFault(Fault(path: "/v1/invoices/*", kind: .status, times: 1_000))
    let report = try await scene.fetch { $0.invoices.types = [.invoice] }
    #expect(report.ending == .unavailable && report.stored == 0)
    #expect((5...9).contains(report.failed))
    scene.server.clearFaults()
    try await scene.fetch()
    try await scene.expectServed()
  }

  @Test("files that fail in every run do not keep a run from the files behind them")
  func lasting() async throws {
    let scene = try await DocumentScene(.stripe, invoices: 80)
    var query = InvoiceQuery()
    query.types = [.invoice]
    let ids = try await scene.database.invoices(matching: query).map(\.invoice)
      .filter { scene.source.renders(.pdf, of: $0) }.map(\.id)
    let bad = Set(ids.prefix(8))
    for id in bad {
      scene.server.armFault(Fault(path: "/v1/invoices/\(id)", kind: .status, times: 1_000))
    }
    let first = try await scene.fetch { $0.invoices.types = [.invoice] }
    #expect(first.ending == .unavailable && first.failed >= 5)
    for _ in 1...2 {
      let report = try await scene.fetch { $0.invoices.types = [.invoice] }
      #expect(report.failed == bad.count && report.ending == nil, "\(report)")
    }
    let stored = try await scene.stored().filter { $0.value.state == .stored }
    #expect(stored.count == ids.count - bad.count)
  }

  @Test("a server that fails for all files ends the run, also if each had failed before")
  func lastingOutage() async throws {
    let scene = try await DocumentScene(.stripe, invoices: 200)
    scene.server.armFault(Fault(path: "/v1/invoices/*", kind: .status, times: 100_000))
    var failed = 0
    // Each run fails for some more files.
    for _ in 1...30 where failed < 50 {
      failed = try await scene.fetch { $0.invoices.types = [.invoice] }.failed
    }
    let last = try await scene.fetch { $0.invoices.types = [.invoice] }
    #expect((50...54).contains(last.failed) && last.ending == .unavailable)
  }

  @Test("a server that asks to come back later ends the run with its time")
  func busy() async throws {
    for (provider, path) in [
      (SandboxProvider.xero, "/api.xro/2.0/Invoices/*"), (.stripe, "/v1/invoices/*"),
    ] {
      let clock = ManualClock()
      let scene = try await DocumentScene(provider, time: clock.source)
      scene.server.armFault(
        Fault(
          path: path, kind: .status, skip: 5, times: 1_000, status: 429,
          headers: ["Retry-After": "7200"]))
      let report = try await scene.fetch {
        ($0.kinds, $0.invoices.types) = ([.pdf], [.invoice])
      }
      #expect(report.ending == .rateLimit && report.code?.exitStatus.rawValue == 75)
      #expect(report.stored == 5 && report.failed == 0)
      #expect(report.retryAt == Timestamp(clock.wall.addingTimeInterval(7_200)))
      scene.server.clearFaults()
      try await scene.fetch()
      try await scene.expectServed()
    }
  }
}

/// A source that states the MD5 of attachments, which few providers do.
private struct StatingMD5: DocumentSource {
  let source: any DocumentSource
  let state: [String: String]

  var kinds: Set<DocumentKind> { source.kinds }
  var wholeAttachmentList: WholeAttachmentList? { source.wholeAttachmentList }

  func renders(
    _ kind: DocumentKind, of id: String, as type: InvoiceType, with status: InvoiceStatus
  ) -> Bool {
    source.renders(kind, of: id, as: type, with: status)
  }

  func place(of kind: DocumentKind, of invoice: Invoice) throws -> DocumentPlace {
    try source.place(of: kind, of: invoice)
  }

  func attachments(of invoice: Invoice) throws -> AttachmentList {
    guard case .known(let attachments) = try source.attachments(of: invoice) else { return .none }
    return .known(
      attachments.map { attachment in
        var stated = attachment
        stated.md5 = state[attachment.id]
        return stated
      })
  }

  func place(of attachment: Documents.Attachment, of invoice: Invoice) throws -> DocumentPlace {
    try source.place(of: attachment, of: invoice)
  }
}
