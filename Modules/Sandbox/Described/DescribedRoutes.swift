import Foundation
import HTTPTypes
import Hummingbird
import JSONReading
import Models
import Networking
import Providers

/// The endpoints of a described provider: the description, read backwards.
///
/// Lists are in the order of their identifiers, or by change where the description sorts them so.
/// The model `versions` is not played.
struct DescribedRoutes: Sendable {
  let description: RESTDescription
  let state: SandboxState

  /// A list and the tenant whose records it holds.
  private struct Match {
    let list: DescribedList
    let tenant: Tenant
  }

  func add(to router: Router<SandboxContext>) {
    // Paths such as `/companies({tenantID})` are no patterns of the router.
    router.get("**") { request, _ in answer(request) }
  }

  /// The path of the API's address.
  private var folder: String {
    let path = description.baseURL.path(percentEncoded: true)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private func answer(_ request: Request) -> Response {
    let tenants = token(of: request).map(state.tenants(holding:)) ?? []
    guard !tenants.isEmpty else {
      return Response(json: Array(#"{"error":"unauthorized"}"#.utf8), status: .unauthorized)
    }
    guard let query = try? request.queryParameters() else {
      return Response(json: Array(#"{"error":"bad request"}"#.utf8), status: .badRequest)
    }
    let path = String(
      (request.path.removingPercentEncoding ?? request.path).dropFirst(folder.count))
    for tenant in tenants {
      if let identity = description.identity, filled(identity.path, tenant) == path {
        var body = JSONValue.object([:])
        body.set(.text(tenant.id), at: identity.field.steps)
        return Response(json: body.json)
      }
      for resource in description.resources where names(tenant, request) {
        if let response = answer(request, query, path, DescribedList(resource), tenant) {
          return response
        }
      }
    }
    return Response(
      json: Array(#"{"error":"there is no such list, or no such organisation"}"#.utf8),
      status: .notFound)
  }

  /// Returns the answer of a list; `nil` if the request is for another one.
  private func answer(
    _ request: Request, _ query: FormParameters, _ path: String, _ list: DescribedList,
    _ tenant: Tenant
  ) -> Response? {
    let resource = list.resource
    // A document may have the path of its record, and is asked for by its media type.
    if let document = resource.document, request.headers[.accept] == document.accept,
      let id = Self.id(in: path, filled(document.path, tenant)),
      isAsked(document.query, in: query, tenant)
    {
      return file(of: id, document, list, tenant)
    }
    if let detail = resource.detail, let id = Self.id(in: path, filled(detail.path, tenant)) {
      guard let entry = list.entries(of: tenant).first(where: { $0.id == id }) else { return nil }
      return Response(json: entry.detail.json)
    }
    if let deleted = resource.deletedRecords, filled(deleted.path, tenant) == path,
      let parameter = deleted.changes.watermark?.parameter, query[parameter] != nil
    {
      return page(list.deletions(of: tenant, in: deleted), of: deleted, request, query)
    }
    guard filled(resource.path, tenant) == path,
      isAsked(fixedItems(of: resource), in: query, tenant)
    else { return nil }
    return page(list.entries(of: tenant), of: resource, request, query)
  }

  private func isAsked(
    _ items: RESTQuery, in query: FormParameters, _ tenant: Tenant
  ) -> Bool {
    items.allSatisfy { name, values in
      // The last of several items with a name is known.
      values.last.map { filled($0, tenant) } == query[name]
    }
  }

  /// Returns what is rendered of an invoice; `nil` if the list does not hold it.
  private func file(
    of id: String, _ document: RESTDocument, _ list: DescribedList, _ tenant: Tenant
  ) -> Response? {
    guard let invoice = tenant.ledger.all.first(where: { $0.model?.id == id }),
      invoice.status != .deleted, let shown = invoice.model.flatMap(list.shown),
      shown.status != .draft
    else { return nil }
    var response = Response(LedgerDocument.pdf(invoice).content(state.configuration.documents))
    response.headers[.contentType] = document.accept
    return response
  }

  /// The query items of every request, without one that a template replaces.
  private func fixedItems(of resource: RESTResource) -> RESTQuery {
    guard let watermark = resource.changes.watermark, watermark.template != nil,
      let parameter = watermark.parameter
    else { return resource.query }
    return resource.query.filter { $0.key != parameter }
  }

  private func page(
    _ all: [DescribedList.Entry], of resource: RESTResource, _ request: Request,
    _ query: FormParameters
  ) -> Response {
    var rows = all
    if let watermark = resource.changes.watermark {
      let text =
        watermark.parameter.map { query[$0] } ?? watermark.header.map { request.headers[$0] }
      if let since = text.flatMap({ $0 }).flatMap(watermark.instant) {
        rows = rows.filter { $0.updatedAt >= since }
        if watermark.header != nil, rows.isEmpty { return Response(status: .notModified) }
      }
      if watermark.isOrdered { rows.sort { ($0.updatedAt, $0.id) < ($1.updatedAt, $1.id) } }
    }
    let paging = resource.paging
    let limit = paging.sizeParameter.flatMap { query[$0] }.flatMap { Int($0) }
    let size = min(limit ?? state.configuration.pageSize, state.configuration.pageSize)
    let start = start(of: rows, paging, query, size)
    let shown = paging.style == .none ? rows[...] : rows.dropFirst(start).prefix(size)
    let hasMore = paging.style != .none && start + shown.count < rows.count
    var body = JSONValue.object([:])
    if let more = paging.more { body.set(.bool(hasMore), at: more.steps) }
    var response = Response(status: .ok)
    let pageCount = (rows.count + size - 1) / size
    for (number, place) in [(pageCount, paging.total), (rows.count, resource.count)] {
      guard let place else { continue }
      if let header = place.header {
        response.headers[header] = String(number)
      } else {
        body.set(.number(ExactDecimal(number)), at: place.steps)
      }
    }
    if hasMore, let last = shown.last {
      let next = address(of: request, page: start / size + 1)
      switch paging.style {
      case .token: paging.field.map { body.set(.text(last.id), at: $0.steps) }
      case .next: paging.field.map { body.set(.text(next), at: $0.steps) }
      case .link: HTTPField.Name("Link").map { response.headers[$0] = "<\(next)>; rel=\"next\"" }
      case .none, .page, .offset, .cursor: break
      }
    }
    body.set(.list(shown.map(\.row)), at: resource.rows.steps)
    let page = Response(json: body.json)
    response.headers.append(contentsOf: page.headers)
    response.body = page.body
    return response
  }

  /// Returns the number of rows before a page.
  private func start(
    of rows: [DescribedList.Entry], _ paging: RESTPaging, _ query: FormParameters, _ size: Int
  ) -> Int {
    switch paging.style {
    case .none: return 0
    case .page:
      let number = paging.parameter.flatMap { query[$0] }.flatMap { Int($0) } ?? 0
      return max(0, number - (paging.first ?? 1)) * size
    case .offset: return max(0, paging.parameter.flatMap { query[$0] }.flatMap { Int($0) } ?? 0)
    case .next, .link: return (query[Self.pageItem].flatMap { Int($0) } ?? 0) * size
    case .token:
      guard let mark = paging.parameter.flatMap({ query[$0] }) else { return 0 }
      return rows.firstIndex { $0.id == mark }.map { $0 + 1 } ?? rows.count
    case .cursor:
      guard let mark = paging.parameter.flatMap({ query[$0] }), let field = paging.field else {
        return 0
      }
      return rows.firstIndex { field.value(in: $0.row)?.word == mark }.map { $0 + 1 } ?? rows.count
    }
  }

  /// The query item with the number of the page in the addresses of pages, from 0.
  private static let pageItem = "sandbox_page"

  private func address(of request: Request, page: Int) -> String {
    let target = request.head.path ?? "/"
    let items = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let kept = items.split(separator: "&").filter { !$0.hasPrefix(Self.pageItem + "=") }
    let query = (kept.map(String.init) + ["\(Self.pageItem)=\(page)"]).joined(separator: "&")
    return "\(state.issuer)\(request.path)?\(query)"
  }

  /// Returns the token or key of a request, in the way that the description states.
  private func token(of request: Request) -> String? {
    switch description.authorization.tokenScheme {
    case .bearer:
      let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
      return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    case .basic:
      guard let text = request.headers[.authorization]?.split(separator: " ").last,
        let data = Data(base64Encoded: String(text))
      else { return nil }
      return String(decoding: data, as: UTF8.self).split(separator: ":").first.map(String.init)
    case .header(let name, let prefix):
      guard let text = request.headers[name], text.hasPrefix(prefix) else { return nil }
      return String(text.dropFirst(prefix.count))
    }
  }

  /// Returns true unless a header field names another tenant.
  private func names(_ tenant: Tenant, _ request: Request) -> Bool {
    description.headers.filter { $0.value.contains(RESTDescription.tenant) }.allSatisfy { field in
      request.headers[field.name] == filled(field.value, tenant)
    }
  }

  private func filled(_ text: String, _ tenant: Tenant) -> String {
    RESTDescription.filled(text, tenantID: tenant.id)
  }

  /// Returns the identifier in a path of the form `/invoices/{id}`; `nil` for another path.
  private static func id(in path: String, _ form: String) -> String? {
    let parts = form.split(separator: RESTDetail.id, omittingEmptySubsequences: false)
    guard parts.count == 2, path.hasPrefix(parts[0]), path.hasSuffix(parts[1]),
      path.count > parts[0].count + parts[1].count
    else { return nil }
    let id = path.dropFirst(parts[0].count).dropLast(parts[1].count)
    return id.contains("/") ? nil : String(id)
  }
}
