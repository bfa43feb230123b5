import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Testing

@testable import Providers

/// A file that is attached to an invoice; the testing library has an attachment too.
typealias InvoiceAttachment = Documents.Attachment

/// The values that the tests of all providers' files share.
enum DocumentFixture {
  /// Returns a provider's source for the organisation `42` at `https://api.vendor.test`.
  static func source(
    _ provider: any Provider, tenantID: String? = "42",
    at address: String = "https://api.vendor.test"
  ) throws -> any DocumentSource {
    let context = ProviderContext(
      account: "default", baseURL: try #require(URL(string: address)), tenantID: tenantID)
    return try #require(provider.documents(in: context))
  }

  static func invoice(
    _ id: String, _ type: InvoiceType = .invoice, _ status: InvoiceStatus = .open
  ) throws -> Invoice {
    Invoice(
      id: id, type: type, status: status, rawStatus: "",
      currency: try #require(Currency(code: "EUR")), total: .zero)
  }

  /// Identifiers that try to leave the path, and the path that they have to stay in.
  static let hostile = [
    ("../../connections", "..%2F..%2Fconnections"), ("a?b=c#d", "a%3Fb%3Dc%23d"),
    ("a%2Fb", "a%252Fb"), ("a b\r\nX: y", "a%20b%0D%0AX%3A%20y"), ("é", "%C3%A9"),
  ]
}

extension DocumentPlace {
  var request: Request {
    switch self {
    case .file(let request), .link(let request, _): request
    }
  }

  /// True if the API itself answers with the file or a redirect to it.
  var isFile: Bool { if case .file = self { true } else { false } }

  /// Returns the link in a response; fails for a file.
  func readLink(in body: String) throws -> URL? {
    guard case .link(_, let read) = self else {
      Issue.record("the place is not a link")
      return nil
    }
    return try read(.canned(200, body))
  }
}

extension AttachmentList {
  var knownAttachments: [InvoiceAttachment]? {
    if case .known(let attachments) = self { attachments } else { nil }
  }
  var isNone: Bool { if case .none = self { true } else { false } }
  var isInWholeList: Bool { if case .inWholeList = self { true } else { false } }

  var listRequest: Request? { if case .request(let request, _) = self { request } else { nil } }

  /// Returns the attachments in a response to the request for them.
  func read(_ body: String) throws -> [InvoiceAttachment] {
    guard case .request(_, let read) = self else {
      Issue.record("no request lists the attachments")
      return []
    }
    return try read(.canned(200, body))
  }
}

extension Request {
  /// Returns the value of a header field.
  func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
}
