import Foundation
import HTTPTypes
import Networking
import Synchronization

/// The API that the shipped example describes, without a network.
final class ExampleServer: Middleware {
  private let seen = Mutex<[(path: String, business: String)]>([])

  /// The organisations that requests named in the header.
  var business: Set<String> { Set(seen.withLock { $0.map(\.business) }) }
  var paths: [String] { seen.withLock { $0.map(\.path) } }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let name = HTTPField.Name("X-Business")
    let business = name.flatMap { request.fields[$0] } ?? ""
    seen.withLock { $0.append((request.url.path(), business)) }
    let items =
      URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    var fields: HTTPFields = [.date: "Fri, 31 May 2024 10:00:00 GMT"]
    let body: String
    if request.url.path().hasSuffix("/me") {
      body = #"{"organisation":{"id":"42"}}"#
    } else if request.url.path().hasSuffix("/payments") {
      body = """
        {"data":[{"id":"m1","paid_on":"2024-06-01","currency":"EUR","amount":"119.00","text":"r",
          "invoices":[{"invoice_id":"a1","amount":"119.00"}]}]}
        """
    } else if request.url.path().hasSuffix("/contacts") {
      let page = value("page") ?? "1"
      if page == "1", let link = HTTPField.Name("Link") { fields[link] = "<?page=2>; rel=next" }
      body =
        page == "1"
        ? """
        [{"id":"c1","name":"A","emails":[],"archived":false,"customer":true},
         {"id":"c2","name":"B","emails":["b@example.com"],"archived":true}]
        """
        : #"[{"id":"c3","name":"C","phone":"1","archived":false,"supplier":true}]"#
    } else {
      let since = value("updated_since") ?? ""
      let rows = Self.invoices.filter { $0.updated >= since }
      let number = Int(value("page") ?? "") ?? 1
      let page = rows.dropFirst(number - 1).prefix(1).map(\.json).joined()
      body = """
        {"data":{"items":[\(page)]},"meta":{"pages":\(rows.count),"count":\(rows.count)}}
        """
    }
    return StreamingResponse(
      head: HTTPResponse(status: .ok, headerFields: fields),
      body: ResponseBody(Array(body.utf8)), url: request.url)
  }

  private static let invoices: [(updated: String, json: String)] = [
    (
      "2024-05-31T08:00:00Z",
      """
      {"id":"a1","number":"INV-1","kind":"sale","state":"sent","currency":{"code":"EUR"},
       "customer":{"id":"c1","name":"A","email":"a@example.com","vat":"DE1","street":"1 Road",
        "extra":"","city":"Bonn","zip":"53111","country":"DE"},"date":"2024-05-31",
       "due":1718323200,"updated_at":"2024-05-31T08:00:00Z","reference":null,
       "amounts":{"net":"100.00","tax":"19.00","total":"119.00","paid":"0","due":"119.00"},
       "lines":[{"id":1,"title":"Paint","qty":2,"price":"50.00","tax":"19.00","sum":"100.00"}],
       "taxes":[{"name":"VAT","percent":19,"net":"100.00","tax":"19.00"}],
       "discounts":[{"id":7,"amount":"5.00","why":"loyal"}],
       "payments":[{"id":"p","date":"2024-06-01","amount":"1.00"}],
       "files":[{"id":"f","name":"a.pdf","type":"application/pdf","url":"https://x.example/f"}]}
      """
    ),
    (
      "2024-05-31T09:00:00Z",
      """
      {"id":"a2","kind":"credit","state":"settled","currency":{"code":"JPY"},"date":"2024-05-31",
       "updated_at":"2024-05-31T09:00:00Z","amounts":{"total":"-500"}}
      """
    ),
  ]
}
