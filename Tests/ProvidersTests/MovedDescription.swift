import Foundation
import HTTPTypes
import Models
import Providers
import Sync
import Testing

/// A change of the description `https://api.acme.example/companies/1/invoices`.
enum ListMove: CaseIterable {
  case base, path, query, header

  var description: MovedDescription {
    var moved = MovedDescription()
    switch self {
    case .base: moved.base = "/companies/2"
    case .path: moved.path = "/others"
    case .query: moved.query = ["company": ["2"]]
    case .header: moved.company = "2"
    }
    return moved
  }
}

/// A description of the invoices of company 1, some parts of which a test changes.
struct MovedDescription {
  var host = "api.acme.example"
  var base = "/companies/1"
  var path = "/invoices"
  var query = ["company": ["1"]]
  var company = "1"
  var changes = RESTChanges.sweep
  var paging = RESTPaging(.none)
  var tenantID: String?
  var organisation = RESTOrganisation.unknown
  var others: [RESTResource] = []

  func feed() throws -> RESTFeed<Invoice> {
    let url = try #require(URL(string: "https://" + host + base))
    var resource = try RESTFixture.resource(paging, changes, path: path)
    resource.query = query
    var headers = HTTPFields()
    headers[try #require(HTTPField.Name("X-Company"))] = company
    return RESTFeed(
      Invoice.self, provider: "acme", resource: resource, baseURL: url, headers: headers,
      tenantID: tenantID, organisation: organisation, others: others)
  }
}
