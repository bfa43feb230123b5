import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// A sync of Xero's invoices, whose list is one page of any bytes.
struct XeroPageFixture {
  /// The answers of an API, whose page need be no text.
  final class Answers: Middleware {
    let page: Mutex<[UInt8]>
    /// The condition of each request for the list.
    let conditions = Mutex<[String?]>([])

    init(_ page: [UInt8]) {
      self.page = Mutex(page)
    }

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      let organisations = #"[{"id":"1","tenantId":"t","tenantType":"ORGANISATION"}]"#
      let isList = request.url.path().hasSuffix("/Invoices")
      if isList { conditions.withLock { $0.append(request.fields[.ifModifiedSince]) } }
      return StreamingResponse(
        head: HTTPResponse(status: .ok),
        body: ResponseBody(isList ? page.withLock { $0 } : Array(organisations.utf8)),
        url: request.url)
    }
  }

  private static let sound = """
    {"InvoiceID":"ID","InvoiceNumber":"N-1","Type":"ACCREC","Status":"PAID","CurrencyCode":"EUR",
    "Contact":{"ContactID":"c","Name":"n"},"DateString":"2018-02-16T00:00:00","Total":1.10,
    "LineItems":[{"Description":"a","Quantity":1.5}],"Payments":[{"Amount":1.10}],
    "UpdatedDateUTC":"/Date(1587912334083+0000)/"}
    """

  let server: Answers
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let sync: ResourceSync

  init(_ page: [UInt8]) async throws {
    server = Answers(page)
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    session = Session(
      name: "invoices", configuration: configuration, middleware: [server], logger: .silent)
    let url = try #require(URL(string: "https://api.example"))
    sync = ResourceSync(
      account: "default", feed: XeroFeed(XeroInvoices.self, baseURL: url, maxConcurrentPages: 1),
      session: session, store: database.invoiceStore, logger: .silent)
  }

  /// The JSON of a readable invoice.
  static func row(_ id: String) -> String { sound.replacing("\"ID\"", with: "\"\(id)\"") }

  /// The JSON of the list's only page.
  static func page(_ rows: [String]) -> String {
    #"{"pagination":{"pageCount":1},"Invoices":["# + rows.joined(separator: ",") + "]}"
  }

  /// The stored invoices in the order of their identifiers.
  func stored() async throws -> [Invoice] {
    try await database.invoices(matching: InvoiceQuery()).map(\.invoice).sorted { $0.id < $1.id }
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
  }
}
