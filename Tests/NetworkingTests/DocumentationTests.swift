import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// The guides say what is so: their code is compiled here, and run.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(
    "every piece of code in a guide is compiled here, word for word",
    arguments: ["OwnSession", "Cancelling", "WhatIsRetried"])
  func codeIsCompiled(guide: String) throws {
    let page = Self.root.appending(path: "Modules/Networking/Networking.docc/\(guide).md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let compiled = try String(
      contentsOf: Self.root.appending(path: "Tests/NetworkingTests/DocumentationExamples.swift"),
      encoding: .utf8)
    let pieces = text.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "\n```").first
    }
    #expect(!pieces.isEmpty)
    for piece in pieces { #expect(compiled.contains(piece), "\(guide): \(piece)") }
  }

  @Test("the guides' code does what the guides say")
  func codeRuns() async throws {
    let fixture = try await SessionFixture(
      FaultScript(
        responses: [[.response("503 Busy")], [.response(body: "0123456789")]]),
      middleware: [Idempotency()]
    ) { $0.retry.baseDelay = .zero }
    let url = try #require(URL(string: fixture.server.url))
    #expect(try await create([1], at: url, key: "k", in: fixture.session).attempts == 2)
    #expect(fixture.server.requests.allSatisfy { $0.contains("Idempotency-Key") })
    #expect(try await size(of: try fixture.request(), in: fixture.session) == 10)
    let folder = try TemporaryDirectory()
    try await fetch(try fixture.request(), to: folder.file("x"), in: fixture.session)
    networkChanged(isThere: false, session: fixture.session)
    let request = try fixture.request()
    let first = Task { try await search(request, in: fixture.session) }
    try await eventually("it waits") { fixture.server.requests.count == 4 }
    networkChanged(isThere: true, session: fixture.session)
    #expect(try await first.joined.head.status == .ok)
    #expect(patientConfiguration().retry.attempts == 6)
    let (invoices, documents) = sessions(sharing: CountingAuthorizer())
    #expect(invoices.configuration.timeout != documents.configuration.timeout)
    await invoices.shutdown()
    await documents.shutdown()
  }
}
