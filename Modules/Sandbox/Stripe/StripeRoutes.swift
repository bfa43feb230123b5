import Foundation
import HTTPTypes
import Hummingbird
import Models

/// The endpoints of Stripe's API that a sync needs; they serve the ledger's sales and their
/// parties, since Stripe has no bills.
///
/// Invoices that are deleted in the ledger are not in the list, and neither are parties without
/// others; only an event reports them.
struct StripeRoutes: Sendable {
  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/v1/account") { request, _ in
      answer(request) { tenant, _ in
        StripeEnvelope.account("acct_" + tenant.id.filter { $0 != "-" })
      }
    }
    router.get("/v1/balance") { request, _ in
      answer(request) { _, _ in StripeEnvelope.balance(isLive: state.isLive(request)) }
    }
    router.get("/v1/invoices") { request, _ in
      answer(request) { tenant, parameters in
        let until = try parameters["created[lte]"].map(Self.number)
        let rows = tenant.ledger.all.filter { row in
          row.isListedByStripe && until.map { row.stripeCreated <= $0 } ?? true
        }.sorted { ($0.stripeCreated, $0.id) > ($1.stripeCreated, $1.id) }
        let expandsCharge = parameters["expand[]"] == "data.charge"
        return try StripeEnvelope.page(rows, id: \.stripeID, parameters) {
          $0.writeStripe(state, expandsCharge: expandsCharge, to: &$1)
        }
      }
    }
    router.get("/v1/invoices/:id") { request, context in
      answer(request) { tenant, parameters in
        var writer = JSONWriter()
        // The last of several.
        let expandsCharge = parameters["expand[]"] == "charge"
        try Self.invoice(context, of: tenant)
          .writeStripe(state, expandsCharge: expandsCharge, to: &writer)
        return writer.bytes
      }
    }
    router.get("/v1/invoices/:id/lines") { request, context in
      answer(request) { tenant, parameters in
        let invoice = try Self.invoice(context, of: tenant)
        return try StripeEnvelope.page(invoice.lines, id: \.stripeID, parameters) {
          $0.writeStripe(invoice, to: &$1)
        }
      }
    }
    router.get("/v1/credit_notes") { request, _ in
      answer(request) { tenant, parameters in
        let until = try parameters["created[lte]"].map(Self.number)
        let rows = tenant.ledger.all.stripeCredits.filter { row in
          until.map { row.invoice.stripeCreated <= $0 } ?? true
        }.sorted { ($0.invoice.stripeCreated, $0.id) > ($1.invoice.stripeCreated, $1.id) }
        return try StripeEnvelope.page(rows, id: \.stripeID, parameters) {
          $0.writeStripe(state, to: &$1)
        }
      }
    }
    router.get("/v1/credit_notes/:id") { request, context in
      answer(request) { tenant, _ in
        let id = context.parameters.get("id")
        guard let note = tenant.ledger.all.stripeCredits.first(where: { $0.stripeID == id })
        else { throw StripeEnvelope.Refused.missing("id", isCursor: false) }
        var writer = JSONWriter()
        note.writeStripe(state, to: &writer)
        return writer.bytes
      }
    }
    router.get("/v1/customers") { request, _ in
      answer(request) { tenant, parameters in
        let until = try parameters["created[lte]"].map(Self.number)
        let rows = tenant.ledger.all.customers.filter { entry in
          entry.isLive && until.map { entry.createdAt <= $0 } ?? true
        }.sorted { ($0.createdAt, $0.contact.id) > ($1.createdAt, $1.contact.id) }
        return try StripeEnvelope.page(rows, id: \.contact.stripeID, parameters) {
          $0.writeStripe(to: &$1)
        }
      }
    }
    router.get("/v1/customers/:id") { request, context in
      answer(request) { tenant, _ in
        let id = context.parameters.get("id")
        guard let entry = tenant.ledger.all.customers.first(where: { $0.contact.stripeID == id })
        else { throw StripeEnvelope.Refused.missing("id", isCursor: false) }
        var writer = JSONWriter()
        entry.writeStripe(to: &writer)
        return writer.bytes
      }
    }
    router.get("/v1/events") { request, _ in
      answer(request) { tenant, parameters in
        let oldest = Timestamp(Date()).adding(seconds: -30 * 86_400)
        let since = try parameters["created[gte]"].map(Self.number) ?? 0
        let ledger = tenant.ledger.all
        if parameters["type"] == "credit_note.*" {
          let rows = ledger.stripeCredits.filter {
            $0.updatedAt >= oldest && $0.invoice.stripeEventTime >= since
          }
          return try StripeEnvelope.page(rows.reversed(), id: \.stripeEventID, parameters) {
            $0.writeStripeEvent(state, to: &$1)
          }
        }
        guard parameters["type"] == "invoice.*" else {
          guard parameters["types[]"]?.hasPrefix("customer.") == true else {
            throw StripeEnvelope.Refused.parameter
          }
          let rows = ledger.customers.filter { $0.updatedAt >= oldest && $0.changedAt >= since }
          return try StripeEnvelope.page(rows.reversed(), id: \.stripeEventID, parameters) {
            $0.writeStripeEvent(to: &$1)
          }
        }
        let rows = ledger.filter {
          $0.kind == .sale && $0.updatedAt >= oldest && $0.stripeEventTime >= since
        }
        return try StripeEnvelope.page(rows.reversed(), id: \.stripeEventID, parameters) {
          $0.writeStripeEvent(state, to: &$1)
        }
      }
    }
  }

  private static func invoice(
    _ context: SandboxContext, of tenant: Tenant
  ) throws -> LedgerInvoice {
    let id = context.parameters.get("id")
    let row = tenant.ledger.all.first { $0.isListedByStripe && $0.stripeID == id }
    guard let row else { throw StripeEnvelope.Refused.missing("invoice", isCursor: false) }
    return row
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw StripeEnvelope.Refused.parameter }
    return number
  }

  private func answer(
    _ request: Request, _ body: (Tenant, FormParameters) throws -> [UInt8]
  ) -> Response {
    let tenants = state.tenants(of: request)
    guard !tenants.isEmpty else {
      return Response(
        json: StripeEnvelope.error(code: nil, "Invalid API Key provided"), status: .unauthorized)
    }
    let account = HTTPField.Name("Stripe-Account").flatMap { request.headers[$0] }
    let tenant =
      account.map { account in
        tenants.first { "acct_" + $0.id.filter { $0 != "-" } == account }
      } ?? tenants.first
    guard let tenant else {
      return Response(
        json: StripeEnvelope.error(code: "account_invalid", "No access to the account"),
        status: .forbidden)
    }
    do {
      return Response(json: try body(tenant, try request.queryParameters()))
    } catch StripeEnvelope.Refused.missing(let parameter, let isCursor) {
      return Response(
        json: StripeEnvelope.error(
          code: "resource_missing", "No such object", parameter: parameter),
        status: isCursor ? .badRequest : .notFound)
    } catch {
      return Response(
        json: StripeEnvelope.error(code: "parameter_invalid_integer", "Invalid parameter"),
        status: .badRequest)
    }
  }
}

enum StripeEnvelope {
  enum Refused: Error {
    case parameter
    /// A parameter names something unknown; the error for an unknown cursor differs from that for
    /// an unknown path.
    case missing(String, isCursor: Bool)
  }

  /// Returns a page of a list, from the row after the named one.
  static func page<Row>(
    _ rows: [Row], id: (Row) -> String, _ parameters: FormParameters,
    _ write: (Row, inout JSONWriter) -> Void
  ) throws -> [UInt8] {
    let limit = parameters["limit"].map { Int($0) ?? 0 } ?? 10
    guard (1...100).contains(limit) else { throw Refused.parameter }
    var first = 0
    if let after = parameters["starting_after"] {
      guard let index = rows.firstIndex(where: { id($0) == after }) else {
        throw Refused.missing("starting_after", isCursor: true)
      }
      first = index + 1
    }
    var writer = JSONWriter()
    list(rows[min(first, rows.count)...], limit: limit, to: &writer, write)
    return writer.bytes
  }

  static func list<Row>(
    _ rows: ArraySlice<Row>, limit: Int, to writer: inout JSONWriter,
    _ write: (Row, inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writer.member("object", "list")
      writer.array("data") { writer in
        for row in rows.prefix(limit) { write(row, &writer) }
      }
      writer.member("has_more", rows.count > limit)
    }
  }

  static func account(_ id: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("id", id)
      writer.member("object", "account")
      writer.object("settings") { writer in
        writer.object("dashboard") { $0.member("timezone", "Etc/UTC") }
      }
    }
  }

  static func balance(isLive: Bool) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("object", "balance")
      writer.member("livemode", isLive)
    }
  }

  static func error(code: String?, _ message: String, parameter: String? = nil) -> [UInt8] {
    JSONWriter.object { writer in
      writer.object("error") { writer in
        writer.member(ifPresent: code, "code")
        writer.member("message", message)
        writer.member(ifPresent: parameter, "param")
        writer.member("type", "invalid_request_error")
      }
    }
  }
}
