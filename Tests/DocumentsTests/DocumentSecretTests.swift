import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import Models
import Networking
import Sandbox
import Synchronization
import TestSupport
import Testing
import Tracing

@testable import Documents
@testable import Storage

/// Links are secrets: whoever knows one has the file.
@Suite(.timeLimit(.minutes(10)), .cleansUp)
struct DocumentSecretTests {
  // Edge case 74
  @Test(
    "no part of a link is in a log, a trace, an error, the database, the store or an export",
    arguments: [SandboxProvider.quickbooks, .stripe, .moneybird])
  func canary(provider: SandboxProvider) async throws {
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = .trace
    let texts = Mutex<[String]>([])
    let tracer = InMemoryTracer()
    try await withTracer(tracer) {
      let log = logger
      let scene = try await DocumentScene(
        provider, logger: log,
        observer: { exchange in texts.withLock { $0.append(Self.dumped(exchange)) } })
      // What fails says more than what works.
      for fault in [
        Fault(path: "/d/*", kind: .status, times: 2, status: 403),
        Fault(path: "/d/*", kind: .reset, times: 6), Fault(path: "/d/*", kind: .truncate, times: 4),
        Fault(path: "/d/*", kind: .html), Fault(path: "/d/*", kind: .malformed),
        Fault(path: "/d/*", kind: .status, status: 307, headers: ["Location": "ftp://x/"]),
      ] { scene.server.armFault(fault) }
      for _ in 1...3 {
        let report = try await scene.fetch()
        texts.withLock { $0.append(Self.dumped(report)) }
      }
      try await scene.expectServed()
      _ = try await DocumentExport(
        objects: scene.store.objects, pattern: .standard
      ).write(
        to: .folder(DocumentFolder(path: scene.folder.file("export"))), onProgress: { _ in },
        reading: { body in
          try await scene.database.forEachDocumentedInvoice(matching: InvoiceQuery(), body)
        })
      for file in SampleDocuments.files(in: scene.folder.path) where !file.contains("objects/") {
        let content = try Data(contentsOf: URL(filePath: scene.folder.file(file)))
        texts.withLock { $0.append(file + String(decoding: content, as: UTF8.self)) }
      }
      texts.withLock { texts in
        texts += handler.entries.map { Self.dumped($0) }
        texts += tracer.finishedSpans.map { Self.dumped($0) }
      }
      let tokens = scene.server.linkTokens()
      #expect(tokens.count > 5 && handler.entries.count > 10 && tracer.finishedSpans.count > 10)
      let all = texts.withLock { $0 }
      for token in tokens {
        // Also of a part of it.
        let canary = String(token.prefix(16))
        let found = all.filter { $0.contains(canary) }
        #expect(found.isEmpty, "\(found.first?.prefix(400) ?? "")")
      }
      #expect(await scene.server.statistics().linkRequestsWithCredentials == 0)
    }
  }

  /// All that a value holds, also what its description leaves out.
  private static func dumped(_ value: Any) -> String {
    var text = "\(value)"
    dump(value, to: &text)
    return text
  }
}
