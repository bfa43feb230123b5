import Foundation
import HTTPTypes
import Models
import Networking
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ControlTests {
  private struct Changed: Decodable {
    var invoiceIDs: [String]
  }

  private func post(
    _ path: String, at caller: SandboxCaller, body: String? = nil
  ) async throws -> Response {
    try await caller.send(.post, path, body: body)
  }

  private func changed(_ path: String, at caller: SandboxCaller) async throws -> [String] {
    let answer = try await post(path, at: caller)
    #expect(answer.status == 200)
    return try JSONDecoder().decode(Changed.self, from: Data(answer.body)).invoiceIDs
  }

  @Test("three changes and one void are four different invoices, listed as modified since")
  func changes() async throws {
    let (server, caller) = try await startSandbox()
    let before = try #require(server.invoices().last?.updatedAt)
    let changed = try await changed("/_sandbox/invoices/change?count=3&seed=5", at: caller)
    let voided = try await self.changed("/_sandbox/invoices/void?count=1", at: caller)
    let ids = Set(changed + voided)
    #expect(ids.count == 4)
    let after = server.invoices().filter { $0.updatedAt.map { $0 > before } ?? false }
    #expect(Set(after.map(\.id)) == ids)
    let text = String(
      try #require(after.first?.updatedAt).truncatedToSecond.description.dropLast())
    let answer = try await caller.invoices(headers: ["If-Modified-Since": text])
    #expect(Set(try InvoicesDocument(answer).rows.map(\.id)) == ids)
  }

  @Test("deleted invoices stay listed, added ones come to the end")
  func deleteAndAdd() async throws {
    let (server, caller) = try await startSandbox()
    let deleted = try await changed("/_sandbox/invoices/delete?count=2", at: caller)
    let added = try await changed("/_sandbox/invoices/add?count=5", at: caller)
    let rows = try InvoicesDocument(try await caller.invoices()).rows
    #expect(rows.count == 17)
    #expect(rows.suffix(7).map(\.id) == deleted + added)
    #expect(rows.filter { deleted.contains($0.id) }.allSatisfy { $0.status == "DELETED" })
    #expect(server.addInvoices(count: 1).count == 1)
    #expect(server.deleteInvoices(count: 1).count == 1)
    #expect(server.changeInvoices(count: 1).count == 1)
    #expect(server.voidInvoices(count: 1).count == 1)
  }

  @Test("a deleted invoice comes back as it was, but for the instant of its change")
  func restored() async throws {
    let (server, caller) = try await startSandbox()
    func timeless(_ ids: [String]) -> [Invoice] {
      server.invoices().filter { ids.contains($0.id) }.sorted { $0.id < $1.id }.map { invoice in
        var invoice = invoice
        invoice.updatedAt = nil
        return invoice
      }
    }
    let before = timeless(server.invoices().map(\.id))
    let deleted = try await changed("/_sandbox/invoices/delete?count=3", at: caller)
    let restored = try await changed("/_sandbox/invoices/restore?count=2", at: caller)
    #expect(Set(restored).count == 2 && Set(restored).isSubset(of: deleted))
    #expect(timeless(restored) == before.filter { restored.contains($0.id) })
    #expect(server.invoices().suffix(2).map(\.id) == restored)
    #expect(server.restoreInvoices(count: 5).count == 1)
    #expect(timeless(server.invoices().map(\.id)) == before)
  }

  @Test("all invoices are sent in one document, even if they need many pieces")
  func allInvoices() async throws {
    for count in [0, 1_203] {
      let (server, caller) = try await startSandbox {
        $0.source = .generated(invoices: count, seed: 2)
      }
      let document = try InvoicesDocument(try await caller.get("/_sandbox/invoices"))
      #expect(document.rows.map(\.id) == server.invoices().map(\.id))
      #expect(document.rows.count == count)
    }
  }

  @Test("tokens are expired and faults armed and disarmed from outside")
  func tokensAndFaults() async throws {
    let (_, caller) = try await startSandbox()
    let token = try await caller.machineToken().accessToken
    #expect(try await post("/_sandbox/tokens/expire", at: caller).status == 200)
    #expect(try await caller.invoices(token: token).status == 401)
    let fault = #"{"path":"/connections","kind":"status","status":503,"times":5}"#
    #expect(try await post("/_sandbox/faults", at: caller, body: fault).status == 200)
    #expect(try await caller.get("/connections").status == 503)
    let cleared = try await caller.send(.delete, "/_sandbox/faults")
    #expect(cleared.status == 200)
    #expect(try await caller.get("/connections").status == 401)
  }

  @Test("a control that is malformed says so and changes nothing")
  func malformed() async throws {
    let (server, caller) = try await startSandbox()
    let before = server.invoices()
    for path in ["change?count=x", "void?count=-1", "add?number=3", "change?seed=-1"] {
      let answer = try await post("/_sandbox/invoices/" + path, at: caller)
      #expect(answer.status == 400)
    }
    let faults = [
      ("[{}]", "fault 1: path is missing\n"), ("nonsense", "this is not valid JSON; "),
      ("", "this is not valid JSON; "),
      (#"{"path":"/","kind":"status","staus":3}"#, "staus is not known\n"),
    ]
    for (body, reason) in faults {
      let answer = try await post("/_sandbox/faults", at: caller, body: body)
      #expect(answer.status == 400)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.hasPrefix(reason), "\(body): \(text)")
    }
    #expect(server.invoices() == before)
  }

  @Test("the statistics count by grant, path and status, and leave the controls out")
  func statistics() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    _ = try await caller.refresh(tokens.refreshToken)
    _ = try await caller.refresh("unknown")
    let id = try #require(server.invoices().first).id
    _ = try await caller.invoices("/\(id)")
    _ = try await caller.get("/nowhere")
    let answer = try await caller.get("/_sandbox/stats")
    let statistics = try JSONDecoder().decode(SandboxStatistics.self, from: Data(answer.body))
    #expect(statistics == (await server.statistics()))
    #expect(
      statistics.tokenRequests
        == [
          "authorization_code": 1, "refresh_token": 2, "client_credentials": 1,
          "urn:ietf:params:oauth:grant-type:device_code": 0,
        ])
    #expect(statistics.requests["POST /connect/token"] == ["200": 3, "400": 1])
    #expect(statistics.requests["GET /api.xro/2.0/Invoices/{id}"] == ["200": 1])
    #expect(statistics.requests["GET /nowhere"] == ["404": 1])
    #expect(statistics.requests["GET /connect/authorize"] == ["302": 1])
    #expect(!statistics.requests.keys.contains { $0.contains("_sandbox") })
  }
}
