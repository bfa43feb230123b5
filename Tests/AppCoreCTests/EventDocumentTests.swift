import Foundation
import HTTPTypes
import Presentation
import Providers
import TestSupport
import Testing

@testable import AppCoreC
@testable import Authentication
@testable import Documents
@testable import Networking

/// The documents that only the C interface has.
@Suite(.timeLimit(.minutes(1))) struct EventDocumentTests {
  private static let address = URL(filePath: "/x")

  private static var documents: [(name: String, document: any Encodable)] {
    [
      (
        "Page",
        PageDocument(
          account: "a", purpose: "sign-in", url: "https://x.example", pasteRequired: false)
      ),
      (
        "DeviceCode",
        DeviceCodeDocument(
          account: "a",
          DeviceCodePrompt(
            userCode: "AB", verificationURL: address, completeURL: address, expiresAt: .now))
      ),
      (
        "Organisations",
        OrganisationsDocument(account: "a", chosen: nil, [Organisation(id: "1", name: nil)])
      ),
      ("Change", ChangeDocument.records),
      (
        "Transfer",
        TransferDocument(
          DownloadProgress(received: 1, expected: nil), account: "a", session: "documents")
      ),
      ("FetchProgress", DocumentProgressDocument(DocumentProgress(), account: "a")),
      ("Response", ResponseDocument(Download(path: "/x", size: 1, resumedFrom: 0), "a")),
      (
        "Response",
        ResponseDocument(
          Response(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "a/b"]), body: [0xFF],
            url: address), "a")
      ),
      (
        "Change",
        ChangeDocument(
          CredentialChange(account: "a", kind: .renewed, generation: 1, expiresAt: nil))
      ),
    ]
  }

  @Test("the documents of events have the members of the guide, and no other")
  func members() throws {
    let guide = try JSONGuide()
    for (name, document) in Self.documents {
      let json = JSONText.encode(document)
      let value = try JSONDecoder().decode(JSONTree.self, from: Data(json.utf8))
      #expect(guide.differences(of: value, from: name, at: name).isEmpty, "\(json)")
    }
  }
}
