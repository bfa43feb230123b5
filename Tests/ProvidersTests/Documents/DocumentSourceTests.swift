import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Testing

@testable import Providers

/// The rules that the files of all providers follow.
@Suite(.timeLimit(.minutes(10))) struct DocumentSourceTests {
  static let providers: [any Provider] = [
    XeroProvider(), QuickBooksProvider(), StripeProvider(), MoneybirdProvider(),
  ]

  @Test("these providers give files, and the others none")
  func providers() throws {
    let url = try #require(URL(string: "https://api.vendor.test"))
    let context = ProviderContext(account: "default", baseURL: url, tenantID: nil)
    let names = BuiltInProviders.all.filter { $0.documents(in: context) != nil }.map(\.name)
    #expect(Set(names) == Set(Self.providers.map(\.name)))
  }

  @Test("an identifier stays one part of the path", arguments: 0..<4)
  func hostile(index: Int) throws {
    let source = try DocumentFixture.source(Self.providers[index])
    let usual = try source.place(of: .pdf, of: DocumentFixture.invoice("1")).request.url.path()
    for (id, escaped) in DocumentFixture.hostile {
      let request = try source.place(of: .pdf, of: DocumentFixture.invoice(id)).request
      let expected = usual.replacing("/1", with: "/" + escaped)
      #expect(request.url.path() == expected && request.url.host() == "api.vendor.test")
    }
    for id in ["", ".", ".."] {
      #expect(throws: SessionError.self) {
        _ = try source.place(of: .pdf, of: DocumentFixture.invoice(id))
      }
      if source.kinds.contains(.attachment) {
        #expect(throws: SessionError.self) {
          _ = try source.place(of: InvoiceAttachment(id: id), of: DocumentFixture.invoice("1"))
        }
      }
    }
  }

  @Test(
    "without an organisation that the address needs, nothing is requested",
    arguments: [0, 1, 3])
  func noOrganisation(index: Int) throws {
    for tenant in [nil, ""] {
      let source = try DocumentFixture.source(Self.providers[index], tenantID: tenant)
      #expect(throws: SessionError.self) {
        _ = try source.place(of: .pdf, of: DocumentFixture.invoice("1"))
      }
    }
  }

  @Test("the path of the API's address is kept")
  func folder() throws {
    for address in ["http://127.0.0.1:1/base/x", "http://127.0.0.1:1/base/x/"] {
      let source = try DocumentFixture.source(XeroProvider(), at: address)
      let url = try source.place(of: .pdf, of: DocumentFixture.invoice("1")).request.url
      #expect(url.absoluteString == "http://127.0.0.1:1/base/x/api.xro/2.0/Invoices/1")
    }
  }
}
