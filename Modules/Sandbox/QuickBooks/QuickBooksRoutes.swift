import Foundation
import HTTPTypes
import Hummingbird
import Models

/// The endpoints of QuickBooks Online's accounting API that a sync needs.
///
/// Invoices that are deleted in the ledger are in no list; only `cdc` reports them.
struct QuickBooksRoutes: Sendable {
  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/v3/company/:realm/query") { request, context in
      answer(request, context) { rows, parameters in
        let query = try QuickBooksQuery(parameters["query"] ?? "")
        return QuickBooksEnvelope.answer(to: query, rows, at: Timestamp(Date()))
      }
    }
    router.post("/v3/company/:realm/batch") { request, context in
      let batch = try JSONDecoder().decode(
        QuickBooksBatch.self, from: Data(try await request.bodyText().utf8))
      return answer(request, context) { rows, _ in
        try QuickBooksEnvelope.answer(to: batch, rows, at: Timestamp(Date()))
      }
    }
    router.get("/v3/company/:realm/cdc") { request, context in
      answer(request, context) { rows, parameters in
        let now = Timestamp(Date())
        guard let since = parameters["changedSince"].flatMap(QuickBooksTime.instant),
          since >= now.adding(seconds: -30 * 86_400)
        else { throw QuickBooksQuery.Refused(code: 4_002, message: "changedSince is no such date") }
        let kinds = (parameters["entities"] ?? "").split(separator: ",").map(String.init)
        return QuickBooksEnvelope.changes(of: kinds, since: since, rows, at: now)
      }
    }
  }

  private func answer(
    _ request: Request, _ context: SandboxContext,
    _ body: (_ rows: [LedgerInvoice], FormParameters) throws -> [UInt8]
  ) -> Response {
    let tenants = state.tenants(of: request)
    guard !tenants.isEmpty else {
      return Response(json: QuickBooksEnvelope.unauthenticated, status: .unauthorized)
    }
    guard let tenant = tenants.first(where: { $0.id == context.parameters.get("realm") })
    else {
      return Response(
        json: QuickBooksEnvelope.fault(
          code: 3_100, "message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403",
          type: "AUTHORIZATION"),
        status: .forbidden)
    }
    do {
      return Response(json: try body(tenant.ledger.all, try request.queryParameters()))
    } catch let refused as QuickBooksQuery.Refused {
      return Response(
        json: QuickBooksEnvelope.fault(
          code: refused.code, refused.message, type: "ValidationFault"),
        status: .badRequest)
    } catch {
      return Response(
        json: QuickBooksEnvelope.fault(
          code: 4_000, "Error parsing query", type: "ValidationFault"),
        status: .badRequest)
    }
  }
}
