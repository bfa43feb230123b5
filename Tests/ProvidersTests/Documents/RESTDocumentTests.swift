import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Testing

@testable import Providers

/// The files of described providers' invoices.
@Suite(.timeLimit(.minutes(10))) struct RESTDocumentTests {
  private static let baseURL = "https://api.acme.example/v1"

  private func list(
    _ document: RESTDocument?, kind: Resource = .invoices, type: String = "invoice"
  ) throws -> RESTResource {
    var resource = try RESTFixture.resource(
      RESTPaging(.none), kind: kind, path: "/\(kind.rawValue)-of-\(type)")
    resource.document = document
    resource.fields.fields["type"] = RESTField(.constant(type))
    return resource
  }

  private func provider(_ resources: [RESTResource]) throws -> RESTProvider {
    let name = try #require(HTTPField.Name("X-Business"))
    return RESTProvider(
      name: "acme",
      description: try RESTDescription(
        baseURL: #require(URL(string: Self.baseURL)),
        headers: [.accept: "application/json", name: "b-{tenantID}"], resources: resources))
  }

  private func source(_ resources: RESTResource...) throws -> any DocumentSource {
    try DocumentFixture.source(provider(resources), at: Self.baseURL)
  }

  @Test("a PDF has the described path, query items and media type, and the fields of the API")
  func pdf() throws {
    var document = RESTDocument(path: "/of/{tenantID}/invoices/{id}/pdf")
    document.query = ["as": ["pdf"], "copy of": ["{id}"]]
    let source = try source(list(document))
    #expect(source.kinds == [.pdf])
    let place = try source.place(of: .pdf, of: DocumentFixture.invoice("a/b"))
    #expect(
      place.isFile
        && place.request.url.absoluteString
          == "https://api.acme.example/v1/of/42/invoices/a%2Fb/pdf?as=pdf&copy%20of=a%2Fb"
    )
    #expect(place.request.fields[.accept] == "application/pdf")
    #expect(place.request.field("X-Business") == "b-42")
    #expect(place.request.authorization == .required)
    document.accept = "application/x-pdf"
    let other = try self.source(list(document)).place(of: .pdf, of: DocumentFixture.invoice("1"))
    #expect(other.request.fields[.accept] == "application/x-pdf")
    for id in [".", ".."] {
      #expect(throws: (any Error).self) {
        _ = try source.place(of: .pdf, of: DocumentFixture.invoice(id))
      }
    }
  }

  @Test("an invoice's type says of which list its file is")
  func lists() throws {
    let notes = Resource(.invoices, at: 1)
    let source = try source(
      list(RESTDocument(path: "/invoices/{id}")),
      list(RESTDocument(path: "/notes/{id}"), kind: notes, type: "credit-note"))
    func path(_ type: InvoiceType) throws -> String {
      try source.place(of: .pdf, of: DocumentFixture.invoice("1", type)).request.url.path()
    }
    #expect(try path(.invoice) == "/v1/invoices/1" && path(.creditNote) == "/v1/notes/1")
    #expect(!source.renders(.pdf, of: try DocumentFixture.invoice("1", .bill)))
    #expect(!source.renders(.pdf, of: try DocumentFixture.invoice("1", .invoice, .draft)))
    #expect(!source.renders(.ubl, of: try DocumentFixture.invoice("1")))
    #expect(throws: SessionError.self) { try path(.bill) }
    // Neither may a second list have another file of the same type.
    var mapped = RESTField(.path(try RESTFixture.path("kind")))
    mapped.words = ["i": "invoice", "b": "bill"]
    var second = try list(RESTDocument(path: "/others/{id}"), kind: notes)
    second.fields.fields["type"] = mapped
    let error = #expect(throws: RESTDescriptionError.self) {
      _ = try self.source(list(RESTDocument(path: "/invoices/{id}")), second)
    }
    #expect(error?.keys.last == "document" && error?.problem.contains("type invoice") == true)
    second.document = RESTDocument(path: "/invoices/{id}")
    _ = try self.source(list(RESTDocument(path: "/invoices/{id}")), second)
  }

  @Test("a description without files gives none, and files change no record")
  func none() throws {
    let context = ProviderContext(
      account: "default", baseURL: try #require(URL(string: Self.baseURL)), tenantID: nil)
    let plain = try list(nil)
    #expect(try provider([plain]).documents(in: context) == nil)
    #expect(try list(RESTDocument(path: "/x/{id}")).fingerprint == plain.fingerprint)
    var contacts = RESTResource(.contacts, path: "/contacts")
    contacts.fields.fields["id"] = RESTField(.path(try RESTFixture.path("id")))
    contacts.document = RESTDocument(path: "/x/{id}")
    let error = #expect(throws: RESTDescriptionError.self) { try contacts.validate() }
    #expect(error?.keys == ["document"])
  }

  @Test("the address of an attachment receives credentials at the API's own origin alone")
  func attachments() throws {
    var resource = try list(nil)
    resource.fields.lists["attachments"] = RESTList(
      path: try RESTFixture.path("files"),
      fields: ["url": RESTField(.path(try RESTFixture.path("url")))])
    let source = try source(resource)
    #expect(source.kinds == [.attachment])
    var invoice = try DocumentFixture.invoice("1")
    func place(_ url: String) throws -> Request {
      invoice.attachments = [
        AttachmentReference(id: "0", fileName: "no address"),
        AttachmentReference(id: "7", fileName: "a", mediaType: "image/png", url: url),
      ]
      let known = try #require(try source.attachments(of: invoice).knownAttachments)
      #expect(known == [InvoiceAttachment(id: "7", name: "a", mediaType: "image/png")])
      let place = try source.place(of: known[0], of: invoice)
      #expect(place.isFile && place.request.fields[.accept] == "*/*")
      return place.request
    }
    for (address, sent) in [
      ("https://api.acme.example/files/1?x=%2F", "https://api.acme.example/files/1?x=%2F"),
      ("HTTPS://API.acme.example:443/files/1", "HTTPS://API.acme.example:443/files/1"),
      ("/files/1", "https://api.acme.example/files/1"),
    ] {
      let request = try place(address)
      #expect(request.authorization == .required && request.field("X-Business") == "b-42")
      #expect(request.url.absoluteString == sent)
    }
    for address in [
      "https://files.acme.example/1", "https://api.acme.example:8443/1", "//evil.example/1",
      "https://api.acme.example.evil.example/1",
    ] {
      let request = try place(address)
      #expect(request.authorization == .none && request.field("X-Business") == nil, "\(address)")
      #expect(request.isLink)
    }
    for address in [
      "http://api.acme.example/1", "http://files.acme.example/1", "file:///etc/passwd",
      "ftp://files.acme.example/1", "javascript:alert(1)", "https://",
      "https://api.acme.example@evil.example/1", "https://user:word@api.acme.example/1",
    ] {
      #expect(throws: SessionError.self, "\(address)") { _ = try place(address) }
    }
    #expect(throws: SessionError.self) {
      _ = try source.place(of: InvoiceAttachment(id: "8"), of: invoice)
    }
  }

  @Test("attachments without identifiers are told apart by their addresses")
  func unnamed() throws {
    var resource = try list(nil)
    resource.fields.lists["attachments"] = RESTList(
      path: try RESTFixture.path("files"),
      fields: ["url": RESTField(.path(try RESTFixture.path("url")))])
    let source = try source(resource)
    var invoice = try DocumentFixture.invoice("1")
    let addresses = ["https://a.example/secret?id=1", "https://a.example/secret?id=2"]
    invoice.attachments = addresses.map { AttachmentReference(fileName: "scan.pdf", url: $0) }
    let known = try #require(try source.attachments(of: invoice).knownAttachments)
    #expect(Set(known.map(\.id)).count == 2 && !known.contains { $0.id.contains("secret") })
    for (attachment, address) in zip(known, addresses) {
      let request = try source.place(of: attachment, of: invoice).request
      #expect(request.url.absoluteString == address)
    }
  }
}
