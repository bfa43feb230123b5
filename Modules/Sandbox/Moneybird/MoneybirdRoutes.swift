import Foundation
import HTTPTypes
import Hummingbird
import Models

/// The endpoints of Moneybird's API that a sync needs.
struct MoneybirdRoutes: Sendable {
  private struct Wanted: Decodable {
    let ids: [String]
  }

  private static let batch = 100

  let state: SandboxState

  func add(to router: Router<SandboxContext>) {
    router.get("/api/v2/administrations.json") { request, _ in
      let tenants = state.tenants(of: request)
      guard !tenants.isEmpty else { return Self.unauthorized }
      return Response(json: Self.administrations(tenants))
    }
    for list in MoneybirdInvoiceList.allCases { addInvoices(list, to: router) }
    addNames("tax_rates", to: router) { ($0.taxType, $0.taxName) }
    addNames("ledger_accounts", to: router) { ($0.accountCode, $0.accountName) }
    addDocuments(to: router)
    let contacts: RouterPath = "/api/v2/:administration/contacts/synchronization.json"
    router.get(contacts) { request, context in
      answer(request, context) { invoices in
        // Nothing is archived here.
        let filter = try MoneybirdFilter(
          try request.queryParameters()["filter"] ?? "", today: nil)
        return Self.versions(
          of: invoices.contacts.filter { $0.isLive && filter.matches($0.updatedAt) }
            .map { ($0.contact.id, $0.moneybirdVersion) })
      }
    }
    router.post(contacts) { request, context in
      let body = try await request.bodyText()
      return answer(request, context) { invoices in
        let ids = try Self.wanted(body)
        return Self.rows(
          invoices.contacts.filter {
            $0.isLive && ids.contains(MoneybirdIdentifier.of($0.contact.id))
          }
        ) { $0.writeMoneybird(to: &$1) }
      }
    }
  }

  /// Adds a list of the names of what lines have identifiers of.
  private func addNames(
    _ list: String, to router: Router<SandboxContext>,
    _ read: @escaping @Sendable (LedgerLine) -> (code: String?, name: String?)
  ) {
    router.get("/api/v2/:administration/\(list).json") { request, context in
      answer(request, context) { invoices in
        let parameters = try request.queryParameters()
        let size = parameters["per_page"].flatMap { Int($0) } ?? .max
        let page = parameters["page"].flatMap { Int($0) } ?? 1
        let rows = invoices.names(read)
        return Self.rows(Array(rows.dropFirst(size == .max ? 0 : (page - 1) * size).prefix(size))) {
          row, writer in
          writer.object { writer in
            writer.member("id", MoneybirdIdentifier.of(row.code))
            writer.member("name", row.name)
          }
        }
      }
    }
  }

  private func addInvoices(_ list: MoneybirdInvoiceList, to router: Router<SandboxContext>) {
    let path = RouterPath("/api/v2/:administration/\(list.path)/synchronization.json")
    router.get(path) { request, context in
      answer(request, context, list) { invoices in
        let filter = try MoneybirdFilter(
          try request.queryParameters()["filter"], today: Timestamp(Date()).utcDay)
        return Self.versions(
          of: invoices.filter { filter.matches($0) && $0.status != .deleted }
            .map { ($0.id, $0.moneybirdVersion) })
      }
    }
    router.post(path) { request, context in
      let body = try await request.bodyText()
      return answer(request, context, list) { invoices in
        let ids = try Self.wanted(body)
        return Self.rows(
          invoices.filter {
            ids.contains(MoneybirdIdentifier.of($0.id)) && $0.status != .deleted
          }
        ) { $0.writeMoneybird(list, state.configuration.documents, to: &$1) }
      }
    }
  }

  private static func wanted(_ body: String) throws -> Set<String> {
    let wanted = try JSONDecoder().decode(Wanted.self, from: Data(body.utf8))
    return Set(wanted.ids.prefix(batch))
  }

  private func answer(
    _ request: Request, _ context: SandboxContext, _ list: MoneybirdInvoiceList? = nil,
    _ body: ([LedgerInvoice]) throws -> [UInt8]
  ) -> Response {
    respond(request, context, list) { Response(json: try body($0)) }
  }

  /// Checks token and administration, then creates the response from the invoices of a list, or
  /// from all, deleted ones included.
  func respond(
    _ request: Request, _ context: SandboxContext, _ list: MoneybirdInvoiceList?,
    _ body: ([LedgerInvoice]) throws -> Response
  ) -> Response {
    let tenants = state.tenants(of: request)
    guard !tenants.isEmpty else { return Self.unauthorized }
    let id = context.parameters.get("administration")
    guard let tenant = tenants.first(where: { MoneybirdIdentifier.of($0.id) == id }) else {
      return Self.problem(.notFound, "record not found")
    }
    do {
      let ledger = tenant.ledger.all
      return try body(list?.invoices(in: ledger) ?? ledger)
    } catch is MoneybirdFilter.Refused {
      return Self.problem(.badRequest, "Status is not included in the list")
    } catch {
      return Self.problem(.badRequest, "The request is malformed")
    }
  }

  private static func administrations(_ tenants: [Tenant]) -> [UInt8] {
    JSONWriter.array { writer in
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
  }

  private static func versions(of rows: [(id: String, version: Int)]) -> [UInt8] {
    Self.rows(rows) { row, writer in
      writer.object { writer in
        writer.member("id", MoneybirdIdentifier.of(row.id))
        writer.member("version", row.version)
      }
    }
  }

  private static func rows<Row>(
    _ rows: [Row], _ write: (Row, inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.array { writer in
      for row in rows { write(row, &writer) }
    }
  }

  private static var unauthorized: Response {
    problem(.unauthorized, "Authorization required")
  }

  static func problem(_ status: HTTPResponse.Status, _ message: String) -> Response {
    Response(json: JSONWriter.object { $0.member("error", message) }, status: status)
  }
}

/// The filter of one of Moneybird's lists, such as `period:20200101..20201231,state:all`.
struct MoneybirdFilter: Sendable {
  struct Refused: Error {
    var value: String
  }

  private var period: ClosedRange<CalendarDate>?
  private var updatedAfter: Timestamp?
  private let today: CalendarDate?

  /// Parses a filter; without one, only this year is listed.
  ///
  /// Terms with other names have no effect, as at Moneybird; the only known state is `all`.
  init(_ text: String?, today: CalendarDate?) throws(Refused) {
    self.today = today
    guard let text else {
      if let year = today?.year, let first = CalendarDate(year: year, month: 1, day: 1),
        let last = CalendarDate(year: year, month: 12, day: 31)
      {
        period = first...last
      }
      return
    }
    for term in text.split(separator: ",") {
      let parts = term.split(separator: ":", maxSplits: 1).map(String.init)
      let value = parts.count == 2 ? parts[1] : ""
      switch parts.first {
      case "state" where value != "all": throw Refused(value: value)
      case "period": period = try Self.period(value)
      case "updated_after":
        guard let instant = Timestamp(value) else { throw Refused(value: value) }
        updatedAfter = instant
      default: break
      }
    }
  }

  func matches(_ invoice: LedgerInvoice) -> Bool {
    // An invoice without a date counts as issued today.
    let day = invoice.date ?? today
    let isInPeriod = period.map { period in day.map(period.contains) ?? false } ?? true
    return isInPeriod && matches(invoice.updatedAt)
  }

  /// Returns whether a change is among the wanted ones.
  func matches(_ updatedAt: Timestamp) -> Bool { updatedAfter.map { updatedAt > $0 } ?? true }

  private static func period(_ text: String) throws(Refused) -> ClosedRange<CalendarDate> {
    let ends = text.split(separator: ".", omittingEmptySubsequences: true).compactMap(day)
    guard ends.count == 2, ends[0] <= ends[1] else { throw Refused(value: text) }
    return ends[0]...ends[1]
  }

  /// Parses `20200131`.
  private static func day(_ text: Substring) -> CalendarDate? {
    guard text.utf8.count == 8, let number = Int(text) else { return nil }
    return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }
}
