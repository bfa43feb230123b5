import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport

/// A described list in memory, a database, and a sync between them.
struct RESTFixture {
  let server: RESTServer
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let sync: ResourceSync
  private let feed: RESTFeed<Invoice>
  private let baseURL: URL

  init(_ resource: RESTResource, _ server: RESTServer) async throws {
    self.server = server
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(
      at: folder.file("test.sqlite"), lockTimeout: Patience.limit)
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    session = Session(
      name: "rest", configuration: configuration, middleware: [server], logger: .silent)
    guard let url = URL(string: "https://api.acme.example/v1") else {
      throw CocoaError(.formatting)
    }
    // Described as a whole, so that everything is checked as a file would be.
    let description = try RESTDescription(baseURL: url, resources: [resource])
    baseURL = description.baseURL
    feed = RESTFeed(Invoice.self, provider: "acme", resource: resource, baseURL: baseURL)
    sync = ResourceSync(
      account: "default", feed: feed,
      session: session, store: database.invoiceStore, logger: .silent)
  }

  /// Returns a sync into the same account by another description.
  ///
  /// - Parameter other: the session of another server; `nil` means that of the first list.
  func sync(described resource: RESTResource, over other: Session? = nil) -> ResourceSync {
    ResourceSync(
      account: "default",
      feed: RESTFeed(Invoice.self, provider: "acme", resource: resource, baseURL: baseURL),
      session: other ?? session, store: database.invoiceStore(of: resource.kind), logger: .silent)
  }

  func sample(as resource: Resource = .invoices) async throws -> ResourceSample {
    try await ResourceSample(reading: feed, of: resource, over: session)
  }

  /// Returns the stored rows that are not deleted, in the server's form.
  func stored() async throws -> Set<RESTServer.Row> {
    Set(
      try await database.invoices(matching: InvoiceQuery()).map { stored in
        let invoice = stored.invoice
        return RESTServer.Row(
          id: invoice.id,
          updated: Int((invoice.updatedAt?.microsecondsSinceEpoch ?? 0) / 1_000_000),
          total: Int(invoice.total.rounded(toScale: 0).description) ?? -1)
      })
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
  }

  static func path(_ text: String) throws -> RESTPath {
    guard let path = RESTPath(text) else { throw CocoaError(.formatting) }
    return path
  }

  /// The server's list, with what every test needs.
  static func resource(
    _ paging: RESTPaging, _ changes: RESTChanges = .sweep, counts: Bool = true,
    kind: Resource = .invoices, path list: String = "/list"
  ) throws -> RESTResource {
    var resource = RESTResource(kind, path: list)
    resource.rows = try path("data.items")
    resource.paging = paging
    resource.changes = changes
    resource.count = counts ? try path("meta.count") : nil
    resource.forms.money = .text
    resource.fields.fields = [
      "id": RESTField(.path(try path("id"))),
      "type": RESTField(.constant("invoice")),
      "status": RESTField(.constant("open")),
      "currency": RESTField(.constant("EUR")),
      "total": RESTField(.path(try path("total"))),
      "updatedAt": RESTField(.path(try path("updated_at"))),
    ]
    return resource
  }

  /// A list of identifiers with versions, whose records are sent in tens.
  static func versions() throws -> RESTResource {
    var resource = try resource(RESTPaging(.none), counts: false)
    var versions = RESTVersions(
      path: "/versions", rows: .root, id: try path("id"),
      version: try path("version"), identifiers: .parameter("ids"))
    versions.recordsPath = "/records"
    versions.batch = 10
    resource.changes = .versions(versions)
    resource.fields.fields["version"] = RESTField(.path(try path("version")))
    return resource
  }

  /// A list of changes whose condition is a header field.
  static func conditional(
    _ style: RESTPaging.Style, kind: Resource = .invoices
  ) throws -> RESTResource {
    var watermark = RESTWatermark(header: .ifModifiedSince)
    watermark.overlap = .zero
    return try resource(paging(style), .watermark(watermark), kind: kind)
  }

  /// A list of changes with a list of deletions.
  static func deletions(
    _ style: RESTPaging.Style, isOrdered: Bool = false, kind: Resource = .invoices
  ) throws -> RESTResource {
    var deletions = RESTDeletions(parameter: "deleted_since")
    deletions.path = "/deleted"
    deletions.deletedAt = try path("updated_at")
    var watermark = RESTWatermark(parameter: "since")
    if isOrdered { watermark.order = ["sort": "updated"] }
    watermark.overlap = .zero
    watermark.deletions = deletions
    var resource = try resource(paging(style), .watermark(watermark), kind: kind)
    if style == .none { resource.query = ["all": ["1"]] }
    if style == .cursor || style == .token { resource.query = ["keyset": ["1"]] }
    return resource
  }

  /// A list whose rows lack most of the record.
  static func detailed(
    _ style: RESTPaging.Style, _ changes: RESTChanges, kind: Resource = .invoices
  ) throws -> RESTResource {
    var resource = try resource(paging(style), changes, kind: kind, path: "/outline")
    var detail = RESTDetail(path: "/records/{id}")
    detail.row = try path("record")
    resource.detail = detail
    if style == .cursor || style == .token { resource.query = ["keyset": ["1"]] }
    return resource
  }

  static func paging(_ style: RESTPaging.Style) throws -> RESTPaging {
    var paging = RESTPaging(style)
    switch style {
    case .none, .link: break
    case .page:
      paging.parameter = "page"
      paging.total = try path("meta.pages")
    case .offset:
      paging.parameter = "offset"
      paging.more = try path("meta.more")
    case .cursor:
      paging.parameter = "after"
      paging.field = try path("id")
      paging.more = try path("meta.more")
    case .token:
      paging.parameter = "token"
      paging.field = try path("meta.token")
    case .next: paging.field = try path("meta.next")
    }
    return paging
  }
}
