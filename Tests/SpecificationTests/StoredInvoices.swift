import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Sync
import SyncSupport
import TestSupport
import Testing

/// The seeds of a run: `APPCORE_SEED` repeats one, `APPCORE_SEEDS` draws more.
enum Seeds {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  static let all: [UInt64] = {
    if let seed = number("APPCORE_SEED") { return [seed] }
    let first = number("APPCORE_FIRST_SEED") ?? 1
    return Array(first..<first + (number("APPCORE_SEEDS") ?? 4))
  }()
}

/// An invoice as a vendor's server would send it, and as it should be stored.
struct WrittenInvoice: Sendable {
  /// What is shown of it if it is stored otherwise.
  let sent: Node
  let expected: Invoice
}

/// A vendor's server with replies that a test has written.
struct WrittenServer: Middleware {
  let answer: @Sendable (_ method: String, _ path: String, _ query: [String: String]) -> String?

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    let query = Dictionary(
      (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    let body = answer(request.method.rawValue, request.url.path(percentEncoded: false), query)
    return StreamingResponse(
      head: HTTPResponse(
        status: body == nil ? .notFound : .ok, headerFields: [.contentType: "application/json"]),
      body: ResponseBody(Array((body ?? "{}").utf8)), url: request.url)
  }

  /// Syncs everything, and records each difference from what is expected.
  func check(
    _ invoices: [WrittenInvoice], _ provider: String, seed: UInt64,
    _ feed: some ResourceFeed<Invoice>
  ) async throws {
    try await withDatabase { database in
      let session = Session(
        name: "invoices", configuration: SessionConfiguration(), middleware: [self],
        logger: .silent)
      let sync = ResourceSync(
        account: "default", feed: feed, session: session, store: database.invoiceStore,
        logger: .silent)
      let report = try await sync.run()
      await session.shutdown()
      for failure in report.failures.prefix(5) {
        let sent = invoices.first { $0.expected.id == failure.id }
        Issue.record(
          """
          seed \(seed), \(provider): invoice \(failure.id ?? "?") was not read: \(failure.path) \
          \(failure.reason); \(sent.map { Self.excerpt($0.sent, failure.path) } ?? "")
          """)
      }
      var query = InvoiceQuery()
      query.includesVoidAndDeleted = true
      let stored = Dictionary(
        uniqueKeysWithValues: try await database.invoices(matching: query)
          .map { ($0.invoice.id, $0.invoice) })
      #expect(stored.count == invoices.count - report.failures.count, "seed \(seed), \(provider)")
      var reports = 0
      for invoice in invoices {
        guard let found = stored[invoice.expected.id] else { continue }
        for difference in Self.differences(found, invoice.expected) where reports < 5 {
          reports += 1
          Issue.record(
            """
            seed \(seed), \(provider), invoice \(invoice.expected.id), \(difference); \
            \(Self.excerpt(invoice.sent, nil))
            """)
        }
      }
    }
  }

  /// Returns the members in which two values differ.
  private static func differences(_ stored: Invoice, _ expected: Invoice) -> [String] {
    guard stored != expected else { return [] }
    return zip(Mirror(reflecting: stored).children, Mirror(reflecting: expected).children)
      .compactMap { stored, expected in
        let (found, wanted) = (text(stored.value), text(expected.value))
        guard found != wanted else { return nil }
        return "\(stored.label ?? "?") is \(found) and not \(wanted)"
      }
  }

  /// Returns a value in one line, numbers without zeros at their end.
  private static func text(_ value: Any) -> String {
    switch value {
    case let decimal as ExactDecimal: return decimal.normalized.description
    case let text as String: return "\"" + text + "\""
    case let value as any CustomStringConvertible & Hashable: return value.description
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text($0.value) } ?? "nil"
    case .collection:
      return "[" + mirror.children.map { text($0.value) }.joined(separator: ", ") + "]"
    case .struct:
      return "("
        + mirror.children.filter { text($0.value) != "nil" }
        .map { "\($0.label ?? ""): \(text($0.value))" }.joined(separator: ", ") + ")"
    default: return "\(value)"
    }
  }

  /// Returns the beginning of the JSON.
  private static func excerpt(_ sent: Node, _ path: String?) -> String {
    let first = path?.split(separator: ".").first.map(String.init) ?? ""
    let part = sent[first].map { first + ": " + $0.json } ?? sent.json
    return String(part.prefix(3_000))
  }
}

extension Node {
  /// The text of a member that is neither absent, null nor empty.
  func filled(_ key: String) -> String? {
    self[key]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The number of a member.
  func decimal(_ key: String) -> ExactDecimal? { self[key]?.digits.flatMap(ExactDecimal.init) }

  /// The elements of a member; none if it is absent or null.
  func list(_ key: String) -> [Node] { self[key]?.elements ?? [] }
}
