import Foundation
import HTTPTypes
import Models
import Networking
import Sandbox
import TestSupport
import Testing

/// Links to files at another origin.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DocumentLinkTests {
  private static let credentials = ["Authorization": "Bearer sk_live_1"]

  private static func object(_ answer: Response) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  private func stripeLink(_ id: String, at caller: SandboxCaller) async throws -> String? {
    let answer = try await caller.get("/v1/invoices/\(id)", headers: Self.credentials)
    return try Self.object(answer)["invoice_pdf"] as? String
  }

  @Test("a PDF of Stripe is a link that stays until it dies, and a draft has none")
  func stripe() async throws {
    let (server, caller) = try await startSandbox {
      $0.provider = .stripe
      $0.source = .generated(invoices: 500, seed: 7)
    }
    let document = try #require(server.documents().first { $0.invoiceID.hasPrefix("in_") })
    let link = try #require(try await stripeLink(document.invoiceID, at: caller))
    #expect(link.hasPrefix(server.linkOrigin + "/d/") && server.linkOrigin != caller.url)
    #expect(server.linkTokens().contains { link.contains("/\($0)/") && $0.count > 30 })
    #expect(try await stripeLink(document.invoiceID, at: caller) == link)
    let file = try await caller.follow(link)
    #expect(file.status == 200 && file.body == document.bytes)
    server.moveClock(by: .seconds(31 * 86_400))
    #expect(try await caller.follow(link).status == 403)
    let renewed = try #require(try await stripeLink(document.invoiceID, at: caller))
    #expect(renewed != link)
    #expect(try await caller.follow(renewed).status == 200)
    let counts = await server.statistics()
    #expect(counts.requests["GET /d/{token}/{name}"] == ["200": 2, "403": 1])
    #expect(counts.linkRequestsWithCredentials == 0)
    _ = try await caller.follow(renewed, headers: Self.credentials)
    #expect(await server.statistics().linkRequestsWithCredentials == 1)
    let draft = try #require(
      server.invoices().first { $0.status == .draft && $0.type == .invoice })
    let id = "in_" + draft.id.replacing("-", with: "")
    #expect(try await stripeLink(id, at: caller) == nil)
    let note = try #require(server.documents().first { $0.invoiceID.hasPrefix("cn_") })
    let answer = try await caller.get(
      "/v1/credit_notes/\(note.invoiceID)", headers: Self.credentials)
    let pdf = try #require(try Self.object(answer)["pdf"] as? String)
    #expect(try await caller.follow(pdf).body == note.bytes)
  }

  @Test("Moneybird redirects to links that live for 30 seconds, and sends UBL itself")
  func moneybird() async throws {
    let (server, caller) = try await startSandbox {
      $0.provider = .moneybird
      $0.source = .generated(invoices: 40, seed: 7)
    }
    let list = try await caller.get("/api/v2/administrations.json", headers: Self.credentials)
    let administrations = try #require(
      try JSONSerialization.jsonObject(with: Data(list.body)) as? [[String: Any]])
    let administration = try #require(administrations.first?["id"] as? String)
    let base = "/api/v2/\(administration)/sales_invoices/"
    let documents = server.documents()
    for document in [
      documents.first { $0.kind == .pdf }, documents.first { $0.kind == .attachment },
    ] {
      let document = try #require(document)
      let rest = document.kind == .pdf ? "download_pdf" : "attachments/\(document.id)/download"
      let answer = try await caller.get(
        base + document.invoiceID + "/" + rest, headers: Self.credentials)
      #expect(answer.status == 302)
      let link = try #require(answer[header: "location"])
      #expect(try await caller.follow(link).body == document.bytes)
      server.moveClock(by: .seconds(30))
      #expect(try await caller.follow(link).status == 403)
    }
    let ubl = try #require(documents.first { $0.kind == .ubl })
    let answer = try await caller.get(
      base + ubl.invoiceID + "/download_ubl", headers: Self.credentials)
    #expect(answer.status == 200 && answer.body == ubl.bytes)
    let missing = try await caller.get(base + "1/download_pdf", headers: Self.credentials)
    #expect(missing.status == 404)
    // The record names its attachments.
    let attached = try #require(documents.first { $0.kind == .attachment })
    let rows = try await caller.send(
      .post, "/api/v2/\(administration)/sales_invoices/synchronization.json",
      headers: Self.credentials,
      body: #"{"ids":["\#(attached.invoiceID)"]}"#)
    #expect(rows.text.contains(#""attachments":[{"id":"\#(attached.id)""#))
  }

  @Test("QuickBooks renders sales, and lists all attachments with links that live for 15 minutes")
  func quickbooks() async throws {
    let (server, caller) = try await startSandbox {
      $0.provider = .quickbooks
      $0.source = .generated(invoices: 60, seed: 7)
    }
    let base = "/v3/company/\(caller.tenantID)/"
    func get(_ path: String, accept: String = "application/json") async throws -> Response {
      try await caller.get(
        base + path, headers: Self.credentials.merging(["Accept": accept]) { $1 })
    }
    let documents = server.documents()
    let pdf = try #require(documents.first { $0.kind == .pdf })
    let path = "invoice/\(pdf.invoiceID)/pdf"
    #expect(try await get(path, accept: "application/pdf").body == pdf.bytes)
    #expect(try await get(path).status == 406)
    #expect(try await get("invoice/1/pdf", accept: "application/pdf").status == 400)
    let bill = try #require(server.invoices().first { $0.type == .bill }).id
    #expect(try await get("invoice/\(bill)/pdf", accept: "application/pdf").status == 400)
    let files = documents.filter { $0.kind == .attachment }
    var found: [String] = []
    for start in [1, 6, 11] {
      let query = "select * from Attachable orderby Id startposition \(start) maxresults 5"
      let page = try await get("query?query=" + SandboxCaller.encoded(query))
      let answer = try #require(try Self.object(page)["QueryResponse"] as? [String: Any])
      for row in answer["Attachable"] as? [[String: Any]] ?? [] {
        let id = try #require(row["Id"] as? String)
        let file = try #require(files.first { $0.id == id })
        let references = try #require(row["AttachableRef"] as? [[String: Any]])
        let entity = try #require(references.first?["EntityRef"] as? [String: Any])
        #expect(entity["value"] as? String == file.invoiceID)
        #expect(row["Size"] as? Int == file.size && row["FileName"] as? String == file.name)
        found.append(id)
      }
    }
    #expect(Set(found).count == min(15, files.count) && found == found.sorted())
    let file = try #require(files.first)
    let answer = try await get("download/\(file.id)", accept: "text/plain")
    #expect(answer[header: "content-type"]?.hasPrefix("text/plain") == true)
    #expect(try await caller.follow(answer.text).body == file.bytes)
    server.moveClock(by: .seconds(15 * 60))
    #expect(try await caller.follow(answer.text).status == 403)
    let counts = await server.statistics().requests
    #expect(counts["GET /v3/company/\(caller.tenantID)/download/{id}"] == ["200": 1])
  }

  @Test("a link may be good for one request and for another time")
  func single() async throws {
    let (server, caller) = try await startSandbox {
      $0.provider = .stripe
      $0.documents.singleUseLinks = true
      $0.documents.linkLifetime = .seconds(5)
    }
    let id = try #require(server.documents().first).invoiceID
    let link = try #require(try await stripeLink(id, at: caller))
    #expect(try await caller.follow(link).status == 200)
    #expect(try await caller.follow(link).status == 403)
    let second = try #require(try await stripeLink(id, at: caller))
    server.moveClock(by: .seconds(5))
    #expect(second != link)
    #expect(try await caller.follow(second).status == 403)
    #expect(try await caller.follow(server.linkOrigin + "/d/unknown/a.pdf").status == 404)
  }

  @Test("a link resumes where a download has ended, if the file is the same")
  func ranges() async throws {
    let (server, caller) = try await startSandbox {
      $0.provider = .stripe
      $0.documents.size = 200_000
    }
    let document = try #require(server.documents().first)
    let link = try #require(try await stripeLink(document.invoiceID, at: caller))
    let whole = try await caller.follow(link)
    let tag = try #require(whole[header: "etag"])
    for start in [0, 1, 70_000, 199_999] {
      let rest = try await caller.follow(
        link, headers: ["Range": "bytes=\(start)-", "If-Range": tag])
      #expect(rest.status == 206 && rest.body == Array(whole.body[start...]))
      #expect(rest[header: "content-range"] == "bytes \(start)-199999/200000")
    }
    let other = try await caller.follow(
      link, headers: ["Range": "bytes=5-", "If-Range": "\"x\""])
    #expect(other.status == 200 && other.body.count == 200_000)
  }

  @Test("faults affect files as they affect records")
  func faults() async throws {
    let (server, caller) = try await startSandbox { $0.provider = .stripe }
    let document = try #require(server.documents().first)
    let link = try #require(try await stripeLink(document.invoiceID, at: caller))
    server.armFault(Fault(path: "/d/*", kind: .html))
    #expect(try await caller.follow(link).text.hasPrefix("<!doctype html>"))
    server.armFault(Fault(path: "/d/*", kind: .replace, body: #"{"error":1}"#))
    #expect(try await caller.follow(link)[header: "content-type"]?.contains("json") == true)
    server.armFault(Fault(path: "/d/*", kind: .status, status: 200))
    let nothing = try await caller.follow(link)
    #expect(nothing.status == 200 && nothing.body.isEmpty)
    server.armFault(Fault(path: "/d/*", kind: .malformed))
    #expect(try await caller.follow(link).body.count == document.size / 2)
    server.armFault(Fault(path: "/d/*", kind: .flip))
    let flipped = try await caller.follow(link).body
    let differing = zip(flipped, document.bytes).count { $0 != $1 }
    #expect(flipped.count == document.size && differing == 1)
    server.armFault(Fault(path: "/d/*", kind: .truncate))
    await #expect {
      try await caller.follow(link)
    } throws: {
      isLost($0, byReset: false)
    }
    #expect(try await caller.follow(link).body == document.bytes)
  }
}
