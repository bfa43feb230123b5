import Foundation
import HTTPTypes
import Hummingbird
import Models

/// The endpoints of Xero's API that a sync needs.
struct XeroRoutes: Sendable {
  static let invoicesPath = "/api.xro/2.0/Invoices"

  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/connections") { request, _ in
      let tenants = state.tenants(of: request)
      guard !tenants.isEmpty else { return Self.unauthorized }
      return Response(json: XeroEnvelope.connections(tenants))
    }
    router.get("/api.xro/2.0/Invoices") { request, _ in
      answer(request) { tenant in
        let page = tenant.ledger.page(try query(of: request))
        return XeroEnvelope.page(page, id: UUID().uuidString.lowercased(), at: Self.now)
      }
    }
    router.get("/api.xro/2.0/Contacts") { request, _ in
      answer(request) { tenant in
        let query = try query(of: request)
        let contacts = XeroContactList(invoices: tenant.ledger.all).page(query)
        return XeroEnvelope.page(contacts, id: UUID().uuidString.lowercased(), at: Self.now)
      }
    }
    router.get("/api.xro/2.0/Invoices/:id") { request, context in
      answer(request) { tenant in
        guard let invoice = context.parameters.get("id").flatMap(tenant.ledger.invoice) else {
          return nil
        }
        return XeroEnvelope.invoice(invoice, id: UUID().uuidString.lowercased(), at: Self.now)
      }
    }
  }

  /// Checks token, tenant and requested format in the same order as Xero, then creates the body.
  private func answer(
    _ request: Request, _ body: (Tenant) throws -> [UInt8]?
  ) -> Response {
    let tenants = state.tenants(of: request)
    guard !tenants.isEmpty else { return Self.unauthorized }
    guard let name = HTTPField.Name("Xero-tenant-id"), let id = request.headers[name],
      let tenant = tenants.first(where: { $0.id == id.lowercased() })
    else { return Self.problem(.forbidden, "Forbidden", "AuthenticationUnsuccessful") }
    guard Self.acceptsJSON(request.headers[values: .accept]) else {
      return Self.problem(
        .notAcceptable, "NotAcceptable", "Send Accept: application/json; XML is not written here")
    }
    do {
      guard let bytes = try body(tenant) else {
        return Self.problem(
          .notFound, "NotFound", "The resource you're looking for cannot be found")
      }
      return Response(json: bytes)
    } catch let refused as XeroQuery.Refused {
      return Response(json: XeroEnvelope.queryError(refused.message), status: .badRequest)
    } catch {
      return Response(
        json: XeroEnvelope.queryError("The query is malformed"), status: .badRequest)
    }
  }

  private func query(of request: Request) throws -> LedgerQuery {
    try XeroQuery.invoices(
      try request.queryParameters(),
      modifiedSince: request.headers[.ifModifiedSince],
      defaultPageSize: state.configuration.pageSize)
  }

  /// Returns true if the request names JSON; Xero returns XML otherwise.
  private static func acceptsJSON(_ fields: [String]) -> Bool {
    fields.joined(separator: ",").split(separator: ",").contains { range in
      let type = range.split(separator: ";").first.map(String.init) ?? ""
      return ["application/json", "application/*"].contains(
        type.trimmingCharacters(in: .whitespaces).lowercased())
    }
  }

  private static var now: Timestamp { Timestamp(Date()) }

  private static var unauthorized: Response {
    var response = problem(.unauthorized, "Unauthorized", "AuthenticationUnsuccessful")
    response.headers[.wwwAuthenticate] = "Bearer error=\"invalid_token\""
    return response
  }

  private static func problem(
    _ status: HTTPResponse.Status, _ title: String, _ detail: String
  ) -> Response {
    Response(
      json: XeroEnvelope.problem(title: title, status: status.code, detail: detail), status: status)
  }
}
