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

/// A vendor's server with replies that a test has written.
struct WrittenServer: Middleware {
  let answer: @Sendable (_ path: String, _ query: [String: String]) -> String?

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    let query = Dictionary(
      (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    let body = answer(request.url.path(percentEncoded: false), query)
    return StreamingResponse(
      head: HTTPResponse(
        status: body == nil ? .notFound : .ok, headerFields: [.contentType: "application/json"]),
      body: ResponseBody(Array((body ?? "{}").utf8)), url: request.url)
  }
}

/// Invoices as a vendor would send them, synced into a database and compared with a second reading.
struct WrittenBooks {
  let provider: String
  let seed: UInt64
  let feed: any ResourceFeed<Invoice>
  /// Returns the server of some rows, each in JSON.
  let server: (_ rows: [Node], _ json: (Node) -> String) -> WrittenServer
  /// Returns the invoice that is to be stored for a row; `nil` if the row is none.
  let reading: (Node) -> Invoice?

  /// A difference between what is stored and what should be.
  private struct Difference {
    let id: String
    /// The member that differs, or where reading ended.
    let member: String
    let text: String
  }

  /// Syncs all rows, and records the first differences, each with a row as small as it can be.
  func check(_ rows: [Node]) async throws {
    let found = try await differences(of: rows)
    for (number, difference) in found.prefix(5).enumerated() {
      let row = rows.first { reading($0)?.id == difference.id } ?? .null
      func fails(_ candidate: Node) async throws -> Bool {
        // A row that lost a part which every row has may end the sync.
        let found = try? await differences(of: [candidate], isWhole: false)
        return found?.contains { $0.member == difference.member } ?? false
      }
      let small = number < 2 ? try await shrunk(row, within: { $0 }, while: fails) : row
      let text = number < 2 ? try await differences(of: [small], isWhole: false).first?.text : nil
      Issue.record(
        """
        seed \(seed), \(provider), \(difference.id): \(difference.member) \
        \(text ?? difference.text); \(small.json.prefix(2_000))
        """)
    }
    if found.count > 5 { Issue.record("seed \(seed), \(provider): \(found.count) differences") }
  }

  /// - Parameter isWhole: false for rows whose parts were removed, which may be no invoices.
  private func differences(of rows: [Node], isWhole: Bool = true) async throws -> [Difference] {
    let expected = rows.compactMap(reading)
    let order = SeededRandom(seed: seed)
    let server = server(rows) { row in
      row.json { keys in
        var order = order
        return keys.shuffled(using: &order)
      }
    }
    var found: [Difference] = []
    try await withDatabase { database in
      let session = Session(
        name: "invoices", configuration: SessionConfiguration(), middleware: [server],
        logger: .silent)
      let report = try await sync(feed, session, database).run()
      await session.shutdown()
      found += report.failures.map {
        Difference(id: $0.id ?? "", member: "at " + $0.path, text: "was not read: " + $0.reason)
      }
      var query = InvoiceQuery()
      query.includesVoidAndDeleted = true
      let stored = Dictionary(
        uniqueKeysWithValues: try await database.invoices(matching: query)
          .map { ($0.invoice.id, $0.invoice) })
      if isWhole {
        #expect(
          stored.count == expected.count - report.failures.count, "seed \(seed), \(provider)")
      }
      for invoice in expected {
        guard var other = stored[invoice.id] else { continue }
        if [invoice.amountPaid, invoice.amountCredited, invoice.amountDue].allSatisfy({ $0 == nil })
        {
          // The store computes what a row does not state; the proof of balances checks that.
          (other.amountPaid, other.amountCredited, other.amountDue) = (nil, nil, nil)
        }
        guard other != invoice else { continue }
        for (stored, wanted) in zip(
          Mirror(reflecting: other).children, Mirror(reflecting: invoice).children)
        where Self.text(stored.value) != Self.text(wanted.value) {
          found.append(
            Difference(
              id: invoice.id, member: stored.label ?? "",
              text: "is \(Self.text(stored.value)) and not \(Self.text(wanted.value))"))
        }
      }
    }
    return found
  }

  private func sync(
    _ feed: some ResourceFeed<Invoice>, _ session: Session, _ database: LocalDatabase
  ) -> ResourceSync {
    ResourceSync(
      account: "default", feed: feed, session: session, store: database.invoiceStore,
      logger: .silent)
  }

  /// Returns the node without all that is not needed for a failure.
  ///
  /// - Parameter whole: returns the row with a part in the place of the node.
  private func shrunk(
    _ node: Node, within whole: (Node) -> Node, while fails: (Node) async throws -> Bool
  ) async throws -> Node {
    var node = node
    switch node {
    case .object(let members):
      for key in members.keys.sorted() {
        var smaller = node
        smaller[key] = nil
        if try await fails(whole(smaller)) { node = smaller }
      }
      for key in node.members.keys.sorted() {
        let current = node
        func within(_ part: Node) -> Node {
          var changed = current
          changed[key] = part
          return whole(changed)
        }
        node[key] = try await shrunk(node[key] ?? .null, within: within, while: fails)
      }
    case .list(var elements):
      for index in elements.indices.reversed() {
        var fewer = elements
        fewer.remove(at: index)
        if try await fails(whole(.list(fewer))) { elements = fewer }
      }
      for index in elements.indices {
        let current = elements
        func within(_ part: Node) -> Node {
          var changed = current
          changed[index] = part
          return whole(.list(changed))
        }
        elements[index] = try await shrunk(elements[index], within: within, while: fails)
      }
      node = .list(elements)
    default: break
    }
    return node
  }

  /// Returns a value in one line, without members that are absent.
  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch (value, mirror.displayStyle) {
    case (let decimal as ExactDecimal, _): return decimal.normalized.description
    case (let text as String, _): return "\"" + text + "\""
    case (_, .optional): return mirror.children.first.map { text($0.value) } ?? "nil"
    case (_, .collection):
      return "[" + mirror.children.map { text($0.value) }.joined(separator: ", ") + "]"
    case (let value as any CustomStringConvertible, _): return value.description
    case (_, .struct):
      return "("
        + mirror.children.map { ($0.label ?? "", text($0.value)) }.filter { $0.1 != "nil" }
        .map { "\($0.0): \($0.1)" }.joined(separator: ", ") + ")"
    default: return "\(value)"
    }
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
