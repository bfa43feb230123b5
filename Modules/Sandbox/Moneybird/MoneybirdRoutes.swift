import Foundation
import HTTPTypes
import Hummingbird
import Models

/// The endpoints of Moneybird's API that a sync needs.
struct MoneybirdRoutes: Sendable {
  /// The body of a request for invoices.
  private struct Wanted: Decodable {
    let ids: [String]
  }

  /// The largest number of invoices in one response.
  private static let batch = 100

  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/api/v2/administrations.json") { request, _ in
      let tenants = state.tenants(of: request)
      guard !tenants.isEmpty else { return Self.unauthorized }
      return Response(json: Self.administrations(tenants))
    }
    let path: RouterPath = "/api/v2/:administration/sales_invoices/synchronization.json"
    router.get(path) { request, context in
      answer(request, context) { invoices in
        let filter = try MoneybirdFilter(
          try request.queryParameters()["filter"], today: Timestamp(Date()).utcDay)
        return Self.versions(of: invoices.filter(filter.matches))
      }
    }
    router.post(path) { request, context in
      let body = try await request.bodyText()
      return answer(request, context) { invoices in
        let wanted = try JSONDecoder().decode(Wanted.self, from: Data(body.utf8))
        let ids = Set(wanted.ids.prefix(Self.batch))
        return Self.invoices(invoices.filter { ids.contains(MoneybirdIdentifier.of($0.id)) })
      }
    }
  }

  /// Checks token and administration, then creates the body from the sales that are not deleted.
  private func answer(
    _ request: Request, _ context: SandboxContext, _ body: ([LedgerInvoice]) throws -> [UInt8]
  ) -> Response {
    let tenants = state.tenants(of: request)
    guard !tenants.isEmpty else { return Self.unauthorized }
    let id = context.parameters.get("administration")
    guard let tenant = tenants.first(where: { MoneybirdIdentifier.of($0.id) == id }) else {
      return Self.problem(.notFound, "record not found")
    }
    do {
      return Response(
        json: try body(
          tenant.ledger.all.filter { $0.kind == .sale && $0.status != .deleted }))
    } catch is MoneybirdFilter.Refused {
      return Self.problem(.badRequest, "Status is not included in the list")
    } catch {
      return Self.problem(.badRequest, "The request is malformed")
    }
  }

  private static func administrations(_ tenants: [Tenant]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for tenant in tenants {
        writer.object { writer in
          writer.member("id", MoneybirdIdentifier.of(tenant.id))
          writer.member("name", tenant.name)
          writer.member("language", "nl")
          writer.member("currency", "EUR")
          writer.member("country", "NL")
          writer.member("time_zone", "Europe/Amsterdam")
          writer.member("access", "user")
          writer.member("suspended", false)
        }
      }
    }
    return writer.bytes
  }

  private static func versions(of invoices: [LedgerInvoice]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for invoice in invoices {
        writer.object { writer in
          writer.member("id", MoneybirdIdentifier.of(invoice.id))
          writer.member("version", invoice.moneybirdVersion)
        }
      }
    }
    return writer.bytes
  }

  private static func invoices(_ invoices: [LedgerInvoice]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for invoice in invoices { invoice.writeMoneybird(to: &writer) }
    }
    return writer.bytes
  }

  private static var unauthorized: Response {
    problem(.unauthorized, "Authorization required")
  }

  private static func problem(_ status: HTTPResponse.Status, _ message: String) -> Response {
    var writer = JSONWriter()
    writer.object { $0.member("error", message) }
    return Response(json: writer.bytes, status: status)
  }
}
