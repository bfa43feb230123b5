import Foundation
import HTTPTypes
import Hummingbird
import Models
import Networking

/// The endpoints of Xero's API that a sync needs.
struct XeroRoutes: Sendable {
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
        let contacts = XeroContactList(invoices: tenant.ledger.all).entries
        return XeroEnvelope.page(
          XeroListPage(of: contacts, query, changedAt: \.updatedAt), "Contacts",
          id: UUID().uuidString.lowercased(), at: Self.now
        ) { $0.write(to: &$1) }
      }
    }
    for kind in LedgerSettlement.listed {
      router.get("/api.xro/2.0/\(LedgerSettlement.list(kind))") { request, _ in
        answer(request) { tenant in
          let query = try query(of: request)
          let rows = LedgerSettlement.xero(tenant.ledger.all, kind)
          return XeroEnvelope.page(
            XeroListPage(of: rows, query, changedAt: \.updatedAt), LedgerSettlement.list(kind),
            id: UUID().uuidString.lowercased(), at: Self.now
          ) { $0.write(to: &$1) }
        }
      }
    }
    addNames("TaxRates", code: "TaxType", to: router) { ($0.taxType, $0.taxName) }
    addNames("Accounts", code: "Code", to: router) { ($0.accountCode, $0.accountName) }
    addDocuments(to: router)
  }

  /// Adds a list of the names of what lines have codes of.
  private func addNames(
    _ list: String, code member: String, to router: Router<SandboxContext>,
    _ read: @escaping @Sendable (LedgerLine) -> (code: String?, name: String?)
  ) {
    let scopes = ["accounting.settings", "accounting.settings.read"]
    router.get("/api.xro/2.0/\(list)") { request, _ in
      respond(request, types: ["application/json"], scopes: scopes) { tenant in
        let body = JSONWriter.object { writer in
          writer.array(list) { writer in
            for (code, name) in tenant.ledger.all.names(read) {
              writer.object { writer in
                writer.member("Name", name)
                writer.member(member, code)
              }
            }
          }
        }
        return Response(json: body)
      }
    }
  }

  private func answer(_ request: Request, _ body: (Tenant) throws -> [UInt8]) -> Response {
    respond(request, types: ["application/json"]) { Response(json: try body($0)) }
  }

  /// Checks token, tenant, scope and requested format, then creates the response.
  ///
  /// - Parameters:
  ///   - types: the media types of the resource; empty if it has any one.
  ///   - scopes: the scopes of which the token needs one.
  ///   - body: returns `nil` if there is no such resource.
  func respond(
    _ request: Request, types: [String], scopes: [String] = [],
    _ body: (Tenant) throws -> Response?
  ) -> Response {
    let tenants = state.tenants(of: request)
    guard !tenants.isEmpty else { return Self.unauthorized }
    guard let name = HTTPField.Name("Xero-tenant-id"),
      let id = request.headers[name]?.lowercased(),
      let tenant = tenants.first(where: { $0.id == id })
    else { return Self.problem(.forbidden, "Forbidden", "AuthenticationUnsuccessful") }
    guard scopes.isEmpty || state.hasScope(request, anyOf: scopes) else {
      var response = Self.problem(.forbidden, "Forbidden", "AuthorizationUnsuccessful")
      response.headers[.wwwAuthenticate] =
        "Bearer error=\"insufficient_scope\", scope=\"\(scopes.last ?? "")\""
      return response
    }
    guard types.isEmpty || Self.accepts(types, request) else {
      return Self.problem(
        .notAcceptable, "NotAcceptable",
        "Send Accept: \(types.joined(separator: " or ")); XML is not written here")
    }
    do {
      guard let response = try body(tenant) else {
        return Self.problem(
          .notFound, "NotFound", "The resource you're looking for cannot be found")
      }
      return response
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

  /// Returns true if the request names one of the types; Xero returns XML otherwise.
  static func accepts(_ types: [String], _ request: Request) -> Bool {
    let fields = request.headers[values: .accept].joined(separator: ",")
    return fields.split(separator: ",").contains { range in
      let type = range.split(separator: ";").first.map(String.init) ?? ""
      return (types + ["application/*"]).contains(
        type.trimmingCharacters(in: .whitespaces).lowercased())
    }
  }

  static var now: Timestamp { Timestamp(Date()) }

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

/// Parses the query and the headers of `GET /api.xro/2.0/Invoices`.
private enum XeroQuery {
  struct Refused: Error {
    var message: String
  }

  /// The known parameters; it is better to refuse any other than to ignore it.
  private static let known: Set<String> = [
    "page", "pageSize", "order", "unitdp", "includeArchived",
  ]

  /// Parses the query; an unknown parameter, order or number is refused.
  ///
  /// `includeArchived` is accepted and has no effect, because nothing is archived here.
  static func invoices(
    _ parameters: FormParameters, modifiedSince: String?, defaultPageSize: Int
  ) throws(Refused) -> LedgerQuery {
    if let unknown = parameters.names.subtracting(known).sorted().first {
      throw Refused(message: "The parameter '\(unknown)' is not supported")
    }
    if let repeated = parameters.repeated.sorted().first {
      throw Refused(message: "The parameter '\(repeated)' is repeated")
    }
    try check(parameters, "includeArchived", ["true", "false"])
    try check(parameters, "unitdp", ["2", "4"])
    var query = LedgerQuery()
    if parameters["unitdp"] == "4" { query.unitDecimals = 4 }
    query.page = try number(parameters, "page", in: 1...Int(Int32.max)) ?? 1
    query.pageSize = try number(parameters, "pageSize", in: 1...1_000) ?? defaultPageSize
    query.newestFirst = try isNewestFirst(parameters["order"])
    if let modifiedSince {
      guard let instant = ModifiedSince.instant(modifiedSince) else {
        throw Refused(message: "If-Modified-Since is not a date and time")
      }
      query.modifiedSince = instant
    }
    return query
  }

  private static func isNewestFirst(_ order: String?) throws(Refused) -> Bool {
    let words = (order ?? "UpdatedDateUTC").split(separator: " ").map { $0.uppercased() }
    guard words.first == "UPDATEDDATEUTC", words.count <= 2 else {
      throw Refused(message: "Only the order UpdatedDateUTC is supported")
    }
    switch words.dropFirst().first {
    case nil, "ASC": return false
    case "DESC": return true
    default: throw Refused(message: "The direction of the order is ASC or DESC")
    }
  }

  private static func number(
    _ parameters: FormParameters, _ name: String, in range: ClosedRange<Int>
  ) throws(Refused) -> Int? {
    guard let text = parameters[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw Refused(message: "\(name) is not between \(range.lowerBound) and \(range.upperBound)")
    }
    return value
  }

  private static func check(
    _ parameters: FormParameters, _ name: String, _ allowed: [String]
  ) throws(Refused) {
    guard let value = parameters[name], !allowed.contains(value.lowercased()) else { return }
    throw Refused(message: "\(name) is one of \(allowed.joined(separator: ", "))")
  }
}

/// Parses the `If-Modified-Since` header in the two forms that clients of Xero send.
enum ModifiedSince {
  /// Returns the instant in UTC, truncated to the second; `nil` if the text is not a time.
  ///
  /// Xero documents `2009-11-12T00:00:00`; HTTP itself uses `Thu, 12 Nov 2009 00:00:00 GMT` (RFC
  /// 9110 section 5.6.7, preferred form).
  static func instant(_ text: String) -> Timestamp? {
    let trimmed = text.trimmingPrefix { $0 == " " }
    let instant = httpDate(trimmed) ?? timestamp(trimmed)
    return instant?.truncatedToSecond
  }

  private static func timestamp(_ text: Substring) -> Timestamp? {
    Timestamp(String(text)) ?? Timestamp(text + "Z")
  }

  private static func httpDate(_ text: Substring) -> Timestamp? {
    HTTPDate.parse(String(text)).map { Timestamp($0) }
  }
}
