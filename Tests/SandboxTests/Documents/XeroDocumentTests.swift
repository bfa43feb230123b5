import Foundation
import HTTPTypes
import Models
import Networking
import Sandbox
import TestSupport
import Testing

/// The files of Xero's invoices.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct XeroDocumentTests {
  private struct Attachments: Decodable {
    struct Row: Decodable {
      let id, name, type: String
      let size: Int

      enum CodingKeys: String, CodingKey {
        case id = "AttachmentID"
        case name = "FileName"
        case type = "MimeType"
        case size = "ContentLength"
      }
    }

    let rows: [Row]

    enum CodingKeys: String, CodingKey { case rows = "Attachments" }
  }

  private static let path = "/api.xro/2.0/"
  private static let scope = "offline_access accounting.invoices.read accounting.attachments.read"

  private func get(
    _ path: String, _ token: String, at caller: SandboxCaller, accept: String = "application/pdf",
    type: String? = nil
  ) async throws -> Response {
    var headers = ["Authorization": "Bearer \(token)", "Accept": accept]
    headers["Xero-tenant-id"] = caller.tenantID
    headers["contentType"] = type
    return try await caller.get(Self.path + path, headers: headers)
  }

  @Test("the header Accept decides between a record and its PDF")
  func accept() async throws {
    let (server, caller) = try await startSandbox { $0.source = .generated(invoices: 500, seed: 7) }
    let documents = server.documents().filter { $0.kind == .pdf }
    let invoices = Set(server.invoices().map(\.id))
    for (list, isListed) in [("Invoices", true), ("CreditNotes", false)] {
      let document = try #require(documents.first { invoices.contains($0.invoiceID) == isListed })
      let path = "\(list)/\(document.invoiceID)"
      let pdf = try await get(path, "sk_live_1", at: caller)
      #expect(pdf.status == 200 && pdf[header: "content-type"] == "application/pdf")
      #expect(pdf.body == document.bytes && pdf[header: "content-length"] == "\(document.size)")
      let record = try await get(path, "sk_live_1", at: caller, accept: "application/json")
      #expect(record.text.contains("\"\(list)\":[{") && record.text.contains(document.invoiceID))
      #expect(try await get(path, "sk_live_1", at: caller, accept: "text/html").status == 406)
      #expect(try await get("\(list)/x", "sk_live_1", at: caller).status == 404)
      let template = "GET \(Self.path)\(list)/{id}"
      let counts = await server.statistics().requests
      #expect(counts[template + " (application/pdf)"] == ["200": 1, "404": 1])
      #expect(counts[template] == ["200": 1, "406": 1])
    }
    let path = "Invoices/\(documents[0].invoiceID)"
    let stranger = try await caller.get(
      Self.path + path, headers: ["Authorization": "Bearer sk_live_1", "Accept": "application/pdf"])
    #expect(stranger.status == 403)
    #expect(try await get(path, "x", at: caller).status == 401)
  }

  @Test("drafts and bills have no PDF, unless bills are rendered")
  func withoutPDF() async throws {
    for rendersBills in [false, true] {
      let (server, caller) = try await startSandbox {
        $0.source = .generated(invoices: 300, seed: 7)
        $0.documents.rendersBills = rendersBills
      }
      let all = server.invoices()
      let draft = try #require(all.first { $0.status == .draft && $0.type == .invoice })
      let bill = try #require(all.first { $0.status == .paid && $0.type == .bill })
      #expect(try await get("Invoices/\(draft.id)", "sk_live_1", at: caller).status == 404)
      let status = try await get("Invoices/\(bill.id)", "sk_live_1", at: caller).status
      #expect(status == (rendersBills ? 200 : 404))
    }
  }

  @Test("a changed invoice has another PDF")
  func changed() async throws {
    let (server, caller) = try await startSandbox { $0.source = .generated(invoices: 60, seed: 7) }
    let before = server.documents().filter { $0.kind == .pdf }
    let changed = Set(server.changeInvoices(count: 30))
    for isChanged in [true, false] {
      let document = try #require(
        before.first { changed.contains($0.invoiceID) == isChanged })
      let pdf = try await get("Invoices/\(document.invoiceID)", "sk_live_1", at: caller)
      #expect(pdf.status == 200 && (pdf.body != document.bytes) == isChanged)
    }
  }

  @Test("attachments are listed with hostile names as they are, and fetched by identifier")
  func attachments() async throws {
    let names = ["../../etc/passwd", "a\u{0}b\r\n", "\u{202E}fdp.exe", "", "..", "CON"]
    let (server, caller) = try await startSandbox {
      $0.source = .generated(invoices: 40, seed: 7)
      $0.documents.attachmentNames = names
    }
    let token = try await caller.signIn(scope: Self.scope).accessToken
    let expected = server.documents().filter { $0.kind == .attachment }
    #expect(expected.count == server.invoices().count { $0.hasAttachments == true } * names.count)
    let invoice = try #require(expected.first).invoiceID
    let path = "Invoices/\(invoice)/Attachments"
    let list = try await get(path, token, at: caller, accept: "application/json")
    let rows = try JSONDecoder().decode(Attachments.self, from: Data(list.body)).rows
    #expect(rows.map(\.name) == names)
    for (row, document) in zip(rows, expected) {
      #expect(row.id == document.id && row.type == document.mediaType && row.size == document.size)
      let file = try await get(
        "\(path)/\(row.id)", token, at: caller, accept: "*/*", type: row.type)
      #expect(file.body == document.bytes && file[header: "content-type"] == row.type)
    }
    #expect(try await get("\(path)/\(rows[0].id)", token, at: caller).status == 400)
    #expect(try await get("\(path)/CON", token, at: caller, type: "a/b").status == 404)
    let plain = try #require(server.invoices().first { $0.hasAttachments == false }).id
    let none = try await get(
      "Invoices/\(plain)/Attachments", token, at: caller, accept: "application/json")
    #expect(none.text.contains("\"Attachments\":[]"))
    let counts = await server.statistics().requests
    #expect(counts["GET \(Self.path)Invoices/{id}/Attachments"] == ["200": 2])
    #expect(
      counts["GET \(Self.path)Invoices/{id}/Attachments/{attachment}"]
        == ["200": names.count, "400": 1, "404": 1])
  }

  @Test("attachments need a scope of their own, which the answer names")
  func scope() async throws {
    let (server, caller) = try await startSandbox { $0.source = .generated(invoices: 40, seed: 7) }
    let token = try await caller.signIn().accessToken
    let id = try #require(server.documents().first { $0.kind == .attachment }).invoiceID
    let path = "Invoices/\(id)/Attachments"
    let refused = try await get(path, token, at: caller, accept: "application/json")
    #expect(refused.status == 403)
    #expect(
      refused[header: "www-authenticate"]
        == #"Bearer error="insufficient_scope", scope="accounting.attachments.read""#)
    #expect(try await get("\(path)/x", token, at: caller, type: "a/b").status == 403)
    #expect(
      try await get("Invoices/\(id)", token, at: caller, accept: "application/json").status
        == 200)
  }

  @Test("documents count against the limits of the organisation")
  func limits() async throws {
    let (server, caller) = try await startSandbox {
      var limits = SandboxLimits()
      (limits.perMinute, limits.perDay) = (99, 3)
      $0.limits = limits
    }
    let id = try #require(server.documents().first { $0.kind == .pdf }).invoiceID
    func pdf() async throws -> Response { try await get("Invoices/\(id)", "sk_live_1", at: caller) }
    #expect(try await caller.invoices(token: "sk_live_1")[header: "X-DayLimit-Remaining"] == "2")
    #expect(try await pdf()[header: "X-MinLimit-Remaining"] == "97")
    #expect(try await pdf()[header: "X-DayLimit-Remaining"] == "0")
    let refused = try await pdf()
    #expect(refused.status == 429 && refused[header: "X-Rate-Limit-Problem"] == "day")
    let wait = try #require(refused[header: "Retry-After"].flatMap { Int($0) })
    #expect((86_000...86_400).contains(wait))
    let moved = try await caller.send(.post, "/_sandbox/clock?seconds=\(wait)")
    #expect(moved.status == 200)
    #expect(try await pdf().status == 200)
    server.moveClock(by: .seconds(86_400))
    #expect(try await pdf()[header: "X-DayLimit-Remaining"] == "2")
    #expect(try await caller.send(.post, "/_sandbox/clock?seconds=-1").status == 400)
  }
}
