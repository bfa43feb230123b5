import Foundation
import HTTPTypes
import Hummingbird
package import Models
import NIOCore

/// The controls of a sandbox in the same process; `/_sandbox/` offers the same over HTTP.
///
/// Controls of invoices affect the first tenant. A changed invoice has an `UpdatedDateUTC` later
/// than any other's.
extension SandboxServer {
  /// The address of the server of files, to which links lead.
  package var linkOrigin: String { state.links.origin }

  /// Returns the secret part of every link to a file so far.
  package func linkTokens() -> [String] {
    state.links.tokens
  }

  /// Moves the clock of tokens, limits and links forward.
  package func moveClock(by duration: Duration) {
    state.clock.move(by: duration)
  }

  /// Returns the counts of requests so far.
  package func statistics() async -> SandboxStatistics {
    state.statistics
  }

  /// Ends every access token, as if it had expired; refresh tokens stay valid.
  package func expireAccessTokens() {
    state.oauth.expireAccessTokens()
  }

  /// Sets the lifetime of tokens issued from now on.
  package func setTokenLifetime(_ lifetime: Duration) {
    state.oauth.setTokenLifetime(lifetime)
  }

  /// Edits reference and due date of up to `count` live invoices, chosen by `seed`.
  ///
  /// - Returns: the identifiers of the changed invoices.
  @discardableResult
  package func changeInvoices(count: Int, seed: UInt64 = 0) -> [String] {
    state.books.change(.change, count: count, seed: seed)
  }

  /// Voids up to `count` live invoices, unpaid ones first; returns their identifiers.
  @discardableResult
  package func voidInvoices(count: Int) -> [String] {
    state.books.change(.void, count: count)
  }

  /// Sets the status `DELETED` of up to `count` live invoices, drafts first; returns their
  /// identifiers.
  ///
  /// As with Xero, they stay listed.
  @discardableResult
  package func deleteInvoices(count: Int) -> [String] {
    state.books.change(.delete, count: count)
  }

  /// Restores up to `count` deleted invoices, the latest deletion first; returns their identifiers.
  @discardableResult
  package func restoreInvoices(count: Int) -> [String] {
    state.books.change(.restore, count: count)
  }

  /// Adds new invoices; returns their identifiers.
  @discardableResult
  package func addInvoices(count: Int) -> [String] {
    state.books.change(.add, count: count)
  }

  /// Arms a fault, after those that are already armed.
  package func armFault(_ fault: Fault) {
    state.faults.arm([fault])
  }

  /// Exchanges tokens from now on without an answer, until ``answerDelayedRequests()``.
  package func holdTokenAnswers() {
    state.tokenLatency = .seconds(3_600)
  }

  /// Answers every delayed request now, and later ones without a fault or a wait for tokens.
  package func answerDelayedRequests() {
    state.tokenLatency = .zero
    state.faults.clear()
    state.connections.endPauses()
  }

  /// Disarms every fault.
  package func clearFaults() {
    state.faults.clear()
  }

  /// Returns all current invoices, ordered by their last change, for comparison with a copy.
  package func invoices() -> [Invoice] {
    state.books.all.compactMap(\.model)
  }

  /// Returns all current credit notes, as Stripe lists them.
  package func stripeCreditNotes() -> [Invoice] {
    state.books.all.stripeCredits.compactMap(\.stripeNote)
  }

  /// Returns all current credit notes, as Xero lists them.
  package func creditNotes() -> [Invoice] {
    LedgerSettlement.of(state.books.all, kinds: [.creditNote]).compactMap(\.creditNote)
  }

  /// Returns all current payments and credits, without those of deleted invoices.
  package func payments() -> [Payment] {
    LedgerSettlement.of(state.books.all).filter { $0.invoice.status != .deleted }.compactMap {
      $0.payment(rawStatus: "", status: $0.isVoid ? .void : .completed)
    }
  }

  /// Returns all current payments of one of Xero's lists, without deleted ones.
  package func payments(of resource: Resource) -> [Payment] {
    let kind: LedgerSettlement.Kind =
      switch resource {
      case .prepayments: .prepayment
      case .overpayments: .overpayment
      default: .payment
      }
    return LedgerSettlement.xero(state.books.all, kind)
      .filter { kind != .payment || !$0.isVoid }.compactMap(\.xero)
  }

  /// Returns all current invoices of a tenant, ordered by their last change; none if there is no
  /// such tenant.
  package func invoices(of tenantID: String) -> [Invoice] {
    state.tenants.first { $0.id == tenantID }?.ledger.all.compactMap(\.model) ?? []
  }

  /// The identifiers of the tenants, in the order of `GET /connections`.
  package var tenantIDs: [String] {
    state.tenants.map(\.id)
  }
}

/// The sandbox's own endpoints, with which a test in another process reads and changes its state.
struct ControlRoutes: Sendable {
  static let prefix = "/_sandbox/"

  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/_sandbox/stats") { _, _ in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Response(json: Array(try encoder.encode(state.statistics)))
    }
    router.get("/_sandbox/invoices") { _, _ in allInvoices() }
    for kind in LedgerChange.Kind.allCases { addChange(kind, to: router) }
    router.post("/_sandbox/tokens/expire") { _, _ in
      state.oauth.expireAccessTokens()
      return Response(json: Array("{}".utf8))
    }
    router.post("/_sandbox/clock") { request, _ in
      guard let text = try? request.queryParameters()["seconds"], let seconds = Int(text),
        (0...1_000_000_000).contains(seconds)
      else { return Response(text: "seconds is not a number\n", status: .badRequest) }
      state.clock.move(by: .seconds(seconds))
      return Response(json: Array("{}".utf8))
    }
    router.post("/_sandbox/faults") { request, _ in await armFaults(request) }
    router.delete("/_sandbox/faults") { _, _ in
      state.faults.clear()
      return Response(json: Array("{}".utf8))
    }
  }

  /// Adds `POST /_sandbox/invoices/NAME?count=N&seed=S`, which returns the changed identifiers.
  private func addChange(_ kind: LedgerChange.Kind, to router: Router<SandboxContext>) {
    router.post("/_sandbox/invoices/\(kind.rawValue)") { request, _ in
      guard let query = try? request.queryParameters(),
        query.names.isSubset(of: ["count", "seed"]),
        let count = Int(query["count"] ?? "1"), (0...1_000_000).contains(count),
        let seed = UInt64(query["seed"] ?? "0")
      else {
        return Response(
          text: "count or seed is not a number, or more was given\n", status: .badRequest)
      }
      return Response(
        json: JSONWriter.object { writer in
          writer.array("invoiceIDs") { writer in
            for id in state.books.change(kind, count: count, seed: seed) { writer.string(id) }
          }
        })
    }
  }

  private func armFaults(_ request: Request) async -> Response {
    do {
      let faults = try FaultDocument.read(Data(try await request.bodyText().utf8))
      state.faults.arm(faults)
      return Response(json: Array("{\"armed\":\(faults.count)}".utf8))
    } catch {
      return Response(text: FaultDocument.reason(error) + "\n", status: .badRequest)
    }
  }

  /// Returns all invoices in the form of the API, written in pieces, since there may be many.
  private func allInvoices() -> Response {
    let invoices = state.books.all
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "{\"Invoices\":["))
      for start in stride(from: 0, to: invoices.count, by: 500) {
        let json = JSONWriter.array { json in
          for invoice in invoices[start..<min(start + 500, invoices.count)] {
            invoice.write(to: &json)
          }
        }
        let separator: [UInt8] = start == 0 ? [] : [UInt8(ascii: ",")]
        // All pieces together form one array, so each loses its own brackets.
        try await writer.write(ByteBuffer(bytes: separator + json.dropFirst().dropLast()))
      }
      try await writer.write(ByteBuffer(string: "]}"))
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
  }
}
