import Foundation
import Models
import Networking
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct InvoicesEndpointTests {
  @Test("a page has Xero's envelope, and the next pages the rest")
  func paging() async throws {
    let (server, caller) = try await startSandbox {
      $0.source = .generated(invoices: 25, seed: 7)
      $0.pageSize = 10
    }
    let token = try await caller.machineToken().accessToken
    var ids: [String] = []
    for page in 1...4 {
      let answer = try await caller.invoices(
        "?page=\(page)&order=UpdatedDateUTC%20ASC", token: token)
      let document = try InvoicesDocument(answer)
      #expect(
        document.pagination == .init(page: page, pageSize: 10, pageCount: 3, itemCount: 25))
      #expect(answer[header: "content-type"]?.hasPrefix("application/json") == true)
      ids += document.rows.map(\.id)
    }
    #expect(ids == server.invoices().map(\.id))
  }

  @Test("an answer has the shape of Xero's documentation")
  func shape() async throws {
    let (_, caller) = try await startSandbox()
    let text = try await caller.invoices("?pageSize=1").text
    let pattern =
      #/
      \{"Id":"[-0-9a-f]{36}","Status":"OK","ProviderName":"appcore\ sandbox",
      "DateTimeUTC":"\/Date\(\d+\)\/",
      "pagination":\{"page":1,"pageSize":1,"pageCount":12,"itemCount":12\},
      "Invoices":\[\{"Type":"ACC(?:REC|PAY)","InvoiceID":"[-0-9a-f]{36}",.*
      "Date":"\/Date\(\d+\+0000\)\/",.*
      "UpdatedDateUTC":"\/Date\(\d+\+0000\)\/","CurrencyCode":"[A-Z]{3}"\}\]\}
      /#
    #expect(text.wholeMatch(of: pattern) != nil, "\(text)")
  }

  @Test("a request with If-Modified-Since lists what changed at that second or later")
  func modifiedSince() async throws {
    let (server, caller) = try await startSandbox()
    let token = try await caller.machineToken().accessToken
    let all = server.invoices()
    let instant = try #require(all[6].updatedAt).truncatedToSecond
    let expected = all.filter { $0.updatedAt.map { $0 >= instant } ?? false }.map(\.id)
    let text = String(instant.description.dropLast())
    let answer = try await caller.invoices(
      token: token, headers: ["If-Modified-Since": text])
    let document = try InvoicesDocument(answer)
    #expect(document.rows.map(\.id) == expected)
    #expect(document.pagination?.itemCount == expected.count)
    let future = try await caller.invoices(
      token: token, headers: ["If-Modified-Since": "Fri, 31 Dec 9999 23:59:59 GMT"])
    #expect(try InvoicesDocument(future).rows.isEmpty)
  }

  @Test("unit amounts have two decimals, or four if requested")
  func unitAmounts() async throws {
    let (server, caller) = try await startSandbox()
    func scales(_ query: String) async throws -> Set<Int> {
      let text = try await caller.invoices("?pageSize=1000" + query).text
      let amounts = text.split(separator: "\"UnitAmount\":").dropFirst().map {
        $0.prefix { $0.isNumber || $0 == "." || $0 == "-" }
      }
      return Set(amounts.compactMap { ExactDecimal(String($0))?.scale })
    }
    let exact = Set(server.invoices().flatMap(\.lines).compactMap { $0.unitAmount?.scale })
    let (rounded, whole) = (try await scales(""), try await scales("&unitdp=4"))
    #expect(exact.contains { $0 > 2 })
    #expect(whole == exact && rounded.max() == 2)
  }

  @Test("one invoice is returned by its identifier")
  func single() async throws {
    let (server, caller) = try await startSandbox()
    let invoice = try #require(server.invoices().last)
    let document = try InvoicesDocument(try await caller.invoices("/\(invoice.id)"))
    #expect(document.rows.map(\.id) == [invoice.id])
    #expect(document.rows.first?.lines.map(\.id) == invoice.lines.map(\.id))
    #expect(document.pagination == nil)
    #expect(try await caller.invoices("/none").status == 404)
  }

  @Test(
    "a query that is malformed or not supported is refused",
    arguments: [
      "?page=0", "?page=x", "?pageSize=0", "?pageSize=1001", "?order=Date",
      "?order=UpdatedDateUTC%20X",
      "?where=Status%3D%3D%22PAID%22", "?page=1&page=2", "?includeArchived=maybe", "?unitdp=3",
      "?page=%zz",
    ])
  func refused(query: String) async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.invoices(query)
    #expect(answer.status == 400)
    #expect(answer.text.contains("QueryParseException"))
  }

  @Test(
    "orders and parameters of Xero's are accepted",
    arguments: [
      "?page=1&pageSize=1000&order=UpdatedDateUTC", "?order=UpdatedDateUTC+DESC", "?unitdp=4",
      "?includeArchived=true",
    ])
  func accepted(query: String) async throws {
    let (_, caller) = try await startSandbox()
    let document = try InvoicesDocument(try await caller.invoices(query))
    #expect(document.rows.count == 12)
  }

  @Test("an If-Modified-Since that is no time is refused")
  func malformedTime() async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.invoices(headers: ["If-Modified-Since": "soon"])
    #expect(answer.status == 400)
  }

  // Edge case 5
  @Test("a token that is missing or unknown is a 401, a tenant that is missing or wrong a 403")
  func access() async throws {
    let (_, caller) = try await startSandbox()
    for authorization in [nil, "Bearer unknown", "Basic eDp5", "Bearer"] {
      let answer = try await caller.invoices(headers: ["Authorization": authorization])
      #expect(answer.status == 401)
      #expect(answer[header: "www-authenticate"] == "Bearer error=\"invalid_token\"")
    }
    for tenant in [nil, "00000000-0000-4000-8000-000000000000"] {
      let answer = try await caller.invoices(headers: ["Xero-tenant-id": tenant])
      #expect(answer.status == 403)
      #expect(answer[header: "www-authenticate"] == nil)
    }
  }

  @Test("a request that does not accept JSON gets none")
  func accept() async throws {
    let (_, caller) = try await startSandbox()
    for accept in [nil, "*/*", "application/xml", "text/html, */*;q=0.1"] {
      let refused = try await caller.invoices(headers: ["Accept": accept])
      #expect(refused.status == 406)
    }
    let list = "text/html;q=0.5, application/json;q=0.9"
    let answer = try await caller.invoices(headers: ["Accept": list])
    #expect(answer.status == 200)
  }

  private struct Connection: Decodable {
    var id: String
    var tenantId: String
    var tenantType: String
  }

  private func connections(
    _ caller: SandboxCaller, token: String
  ) async throws -> [Connection] {
    let answer = try await caller.get(
      "/connections", headers: ["Authorization": "Bearer \(token)"])
    return try JSONDecoder().decode([Connection].self, from: Data(answer.body))
  }

  @Test("every tenant is listed and has a ledger of its own")
  func tenants() async throws {
    let (server, caller) = try await startSandbox { $0.tenants = 3 }
    #expect(try await caller.get("/connections").status == 401)
    let token = try await caller.machineToken().accessToken
    let connections = try await connections(caller, token: token)
    #expect(connections.map(\.tenantId) == server.tenantIDs)
    #expect(connections.allSatisfy { $0.tenantType == "ORGANISATION" })
    var firsts: Set<String> = []
    for id in server.tenantIDs {
      let page = try await caller.invoices(token: token, headers: ["Xero-tenant-id": id])
      firsts.insert(try #require(try InvoicesDocument(page).rows.first).id)
    }
    #expect(firsts.count == 3)
  }

  @Test("each sign-in reaches its share of the tenants, and no other's, also after a renewal")
  func share() async throws {
    let (server, caller) = try await startSandbox {
      $0.tenants = 4
      $0.tenantsPerLogin = 2
    }
    let shares = [server.tenantIDs.prefix(2), server.tenantIDs.suffix(2)].map(Array.init)
    for (share, others) in [(shares[0], shares[1]), (shares[1], shares[0])] {
      let login = try await caller.signIn()
      let renewed = try Tokens(try await caller.refresh(login.refreshToken))
      for token in [login.accessToken, renewed.accessToken] {
        #expect(try await connections(caller, token: token).map(\.tenantId) == share)
        for (id, status) in share.map({ ($0, 200) }) + others.map({ ($0, 403) }) {
          let answer = try await caller.invoices(token: token, headers: ["Xero-tenant-id": id])
          #expect(answer.status == status)
        }
      }
    }
  }

  @Test(
    "the real tables are served with the digits that they have",
    .enabled(if: RealTables.directory != nil, "the real tables are not here"))
  func realData() async throws {
    let directory = try #require(RealTables.directory)
    let (_, caller) = try await startSandbox { $0.source = .csv(directory: directory) }
    let token = try await caller.machineToken().accessToken
    var rows: [InvoicesDocument.Row] = []
    var text = ""
    for page in 1...7 {
      let answer = try await caller.invoices("?page=\(page)", token: token)
      rows += try InvoicesDocument(answer).rows
      text += answer.text
    }
    #expect(rows.count == 601)
    #expect(rows.map(\.lines.count).reduce(0, +) == 649)
    let instants = try rows.map { try #require($0.milliseconds) }
    #expect(instants == instants.sorted())
    #expect(text.contains(#""Total":47.99,"#))
    #expect(text.contains(#""Total":155.3,"#))
    #expect(text.contains(#""CurrencyRate":0.75295,"#))
    #expect(text.contains(#""UpdatedDateUTC":"/Date(1587912334083+0000)/""#))
    #expect(
      text.contains(#""DateString":"2020-04-21T00:00:00","Date":"/Date(1587427200000+0000)/""#))
  }
}
