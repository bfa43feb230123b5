import Foundation
import HTTPTypes
import Models
import Networking
import Sync
import SystemSupport

/// The requests for the pages of a described list.
struct RESTRequests: Sendable {
  let baseURL: URL
  let headers: HTTPFields
  let resource: RESTResource
  let tenantID: String?

  var namesTenant: Bool {
    resource.namesTenant || headers.contains { $0.value.contains(RESTDescription.tenant) }
  }

  func of(_ list: RESTResource) -> RESTRequests {
    RESTRequests(baseURL: baseURL, headers: headers, resource: list, tenantID: tenantID)
  }

  func page(_ cursor: RESTCursor) throws -> Request {
    let paging = resource.paging
    if let mark = cursor.mark, [.next, .link].contains(paging.style) {
      return try request(to: try address(mark, from: baseURL), since: cursor.since)
    }
    var items = resource.query
    if let size = paging.size, let parameter = paging.sizeParameter {
      items[parameter] = ["\(size)"]
    }
    if let parameter = paging.parameter {
      switch paging.style {
      case .page: items[parameter] = ["\(cursor.number + (paging.first ?? 1))"]
      case .offset: items[parameter] = ["\(cursor.number)"]
      default: items[parameter] = cursor.mark.map { [$0] }
      }
    }
    if let watermark = resource.changes.watermark {
      items.merge(watermark.order.mapValues { [$0] }) { $1 }
      if let parameter = watermark.parameter, let since = cursor.since {
        items[parameter] = [watermark.text(of: since)]
      }
    }
    return try request(
      to: url(resource.changes.versions?.path ?? resource.path, items), since: cursor.since)
  }

  func identity(_ identity: RESTIdentity) throws -> Request {
    try request(to: url(identity.path, [:]))
  }

  func records(_ ids: [String], _ versions: RESTVersions) throws -> Request {
    let ids = ids.map(resource.ownIdentifier)
    let path = versions.recordsPath ?? resource.path
    var items = resource.query
    switch versions.identifiers {
    case .parameter(let name):
      items[name] = [ids.joined(separator: ",")]
      return try request(to: url(path, items))
    case .body(let key):
      var request = try Request(
        method: .post, url: url(path, items), fields: fields,
        body: Array(try JSONEncoder().encode([key: ids])))
      request.fields[.contentType] = "application/json"
      // This POST only reads.
      request.isSafeToRetry = true
      return request
    }
  }

  /// Returns the request for one record.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` for the identifiers `.` and `..`,
  ///   which would change the path.
  func record(_ id: String, _ detail: RESTDetail) throws -> Request {
    try record(id, detail.path, detail.query)
  }

  /// Returns the request for the file of one record.
  ///
  /// - Throws: as ``record(_:_:)``.
  func document(_ id: String, _ document: RESTDocument) throws -> Request {
    var request = try record(id, document.path, document.query)
    request.fields[.accept] = document.accept
    return request
  }

  private func record(_ id: String, _ path: String, _ query: RESTQuery) throws -> Request {
    let id = resource.ownIdentifier(of: id)
    guard id != ".", id != ".." else {
      throw SyncError.unreadable(part: "id", reason: "it cannot be part of a path")
    }
    let items = query.mapValues { $0.map { $0.replacing(RESTDetail.id, with: id) } }
    return try request(to: url(path, items, id: id))
  }

  /// Returns the URL of the next page, as the server states it on a page.
  ///
  /// A proxy often hides the scheme and the port from a server, which then writes another one. The
  /// request goes to ``baseURL``'s server nevertheless, if the host and the beginning of the path
  /// are the same: the credentials never leave it.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the text is not a URL, or if it
  ///   leads to another server, which would receive the credentials.
  func address(_ text: String, from page: URL) throws -> URL {
    let path = resource.paging.field?.description ?? "Link"
    guard var url = URL(string: text, relativeTo: page)?.absoluteURL, let origin = Origin(url)
    else {
      throw SyncError.unreadable(part: path, reason: "it is not the address of a page")
    }
    if let base = Origin(baseURL), origin != base {
      guard let moved = moved(url, from: origin, to: base) else {
        throw SyncError.unreadable(
          part: path,
          reason: "the next page is at \(origin), and only \(base) may receive the login; "
            + "correct baseURL, or choose a paging.style without addresses, such as page")
      }
      url = moved
    }
    // Cursors are stored, but tokens must not be. The request carries its own token (RFC 6750
    // section 2.3).
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let items = parts.percentEncodedQueryItems,
      items.contains(where: { $0.name == "access_token" })
    else { return url }
    parts.percentEncodedQueryItems = items.filter { $0.name != "access_token" }
    return parts.url ?? url
  }

  /// Returns the URL on another origin with the same host; `nil` if the host differs, or if the
  /// path is not below ``baseURL``.
  private func moved(_ url: URL, from origin: Origin, to base: Origin) -> URL? {
    guard origin.host == base.host,
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      parts.percentEncodedPath.hasPrefix(folder + "/"),
      !parts.percentEncodedPath.split(separator: "/").contains("..")
    else { return nil }
    parts.scheme = base.scheme
    parts.port = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)?.port
    return parts.url
  }

  private func request(to url: URL, since: Timestamp? = nil) throws -> Request {
    var request = try Request(url: url, fields: fields)
    if let watermark = resource.changes.watermark, let name = watermark.header, let since {
      request.fields[name] = watermark.form.text(of: since)
    }
    return request
  }

  private var fields: HTTPFields {
    var fields = Self.fields(headers, tenantID: tenantID)
    if fields[.accept] == nil { fields[.accept] = "application/json" }
    return fields
  }

  /// Returns the header fields of a description, with the organisation in place of its placeholder.
  static func fields(_ headers: HTTPFields, tenantID: String?) -> HTTPFields {
    HTTPFields(
      headers.map {
        HTTPField(name: $0.name, value: RESTDescription.filled($0.value, tenantID: tenantID))
      })
  }

  /// - Parameter id: the text that replaces ``RESTDetail/id`` in the path, escaped as part of it.
  private func url(_ path: String, _ items: RESTQuery, id: String = "") throws -> URL {
    guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
      throw SessionError.invalidRequest(reason: "the base URL is not valid")
    }
    parts.percentEncodedPath =
      folder
      + filled(path).split(separator: RESTDetail.id, omittingEmptySubsequences: false)
      .map { FormEncoding.escape(String($0), keeping: "/") }
      .joined(separator: FormEncoding.escape(id))
    if !items.isEmpty {
      // Sorted, so that logs and tests always show the same order.
      parts.percentEncodedQuery = FormEncoding.encode(
        items.sorted { $0.key < $1.key }.flatMap { name, values in
          values.map { (name, filled($0)) }
        })
    }
    guard let url = parts.url else {
      throw SessionError.invalidRequest(reason: "the path is not valid")
    }
    return url
  }

  func filled(_ text: String) -> String {
    RESTDescription.filled(text, tenantID: tenantID)
  }

  /// The address of the list: its URL, and a short digest of the rest of the description that
  /// decides which records the server returns.
  ///
  /// Other paths, query items and header fields can name an organisation as well. A digest, because
  /// they can also hold keys, and the address is stored.
  var address: String {
    let origin = Origin(baseURL).map { "\($0)" } ?? ""
    let url = origin + folder + filled(resource.changes.versions?.path ?? resource.path)
    let others =
      otherPaths + items(resource.query) + items(resource.detail?.query ?? [:]) + headerLines
    guard !others.isEmpty else { return url }
    let digest = SHA256.hash(Data(others.map(filled).joined(separator: "\n").utf8))
    return url + " " + digest.prefix(4).hexadecimal
  }

  /// The path of ``baseURL`` without a slash at its end.
  var folder: String {
    let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
    let path = parts?.percentEncodedPath ?? ""
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private var otherPaths: [String] {
    let versions = resource.changes.versions
    return [
      versions == nil ? nil : resource.path, versions?.recordsPath, resource.detail?.path,
      resource.changes.watermark?.deletions?.path,
    ].compactMap(\.self)
  }

  private func items(_ query: RESTQuery) -> [String] {
    query.flatMap { name, values in values.map { "\(name)=\($0)" } }.sorted()
  }

  private var headerLines: [String] {
    headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
  }
}
