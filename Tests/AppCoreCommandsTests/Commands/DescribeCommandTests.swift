import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

/// The command that proposes a description, up to the sync that uses it.
@Suite(.timeLimit(.minutes(10))) struct DescribeCommandTests {
  private static let page = """
    {"items":[{"id":"1","number":"A-1","status":"sent","currency":"EUR","date":"2024-05-01",\
    "total":"1.50","customer":{"name":"Ada Lovelace"}}]}
    """

  @Test(
    "a proposal is a configuration that syncs, and the key is in no output",
    arguments: [
      ([], "Authorization: Bearer canary-key"),
      (["--basic"], "Authorization: Basic " + Data("canary-key:".utf8).base64EncodedString()),
      (["--header", "X-API-KEY"], "X-API-KEY: canary-key"),
      (["--header", "Authorization:Token "], "Authorization: Token canary-key"),
    ])
  func proposal(options: [String], field: String) async throws {
    let fixture = try CommandFixture(Array(repeating: Self.page, count: 9))
    let ending = await fixture.run(
      ["describe", fixture.server.url + "/v1/invoices", "--name", "bolt", "-v", "--trace-http"]
        + options, input: "canary-key\n")
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(fixture.server.requests.count == 1)
    #expect(fixture.server.requests[0].contains(field + "\r\n"))
    #expect(fixture.server.requests[0].hasPrefix("GET /v1/invoices HTTP/1.1\r\n"))
    for text in [ending.output, ending.errors] {
      #expect(!text.contains("canary") && !text.contains("Ada"), "\(text)")
      #expect(!text.contains(Data("canary-key:".utf8).base64EncodedString()))
    }
    #expect(ending.errors.contains("appcore login --account bolt --token-stdin"))
    #expect(ending.errors.contains("appcore doctor --provider bolt"))

    let file = try fixture.home.write(ending.output, to: "proposal.yaml")
    let login = await fixture.run(
      "login", "--account", "bolt", "--token-stdin", "--config", file, input: "canary-key")
    #expect(login.status == .done, "\(login.errors)\n\(ending.output)")
    let sync = await fixture.run("sync", "invoices", "--account", "bolt", "--config", file)
    #expect(sync.status == .done, "\(sync.errors)")
    #expect(fixture.server.requests.allSatisfy { $0.contains(field + "\r\n") })
    let list = await fixture.run("invoices", "list", "--account", "bolt", "--config", file)
    #expect(list.output.contains("A-1") && list.output.contains("Ada Lovelace"))
  }

  @Test("at a terminal, the key is asked for without showing it")
  func prompt() async throws {
    let fixture = try CommandFixture([Self.page])
    let ending = await fixture.run(
      "describe", fixture.server.url + "/v1/invoices", typed: ["canary-key"])
    #expect(ending.status == .done && ending.errors.contains("API key (not shown): [unseen]"))
    #expect(fixture.server.requests[0].contains("Bearer canary-key\r\n"))
  }

  @Test(
    "a response without a page is refused with its cause",
    arguments: [
      (
        "401 No", #"{"message":"bad canary-key"}"#, ErrorCodes.ExitStatus.signInRequired,
        "refused the key"
      ),
      ("403 No", "{}", .signInRequired, "refused the key (status 403)"),
      ("404 No", "", .configuration, "nothing at this address"),
      ("302 Found", "", .configuration, "redirects this address"),
      ("500 No", "", .unavailable, "the server failed (status 500)"),
      ("422 No", "{}", .unreadableData, "rejected the request (status 422)"),
      ("200 OK", "<html>", .unreadableData, "the response is not JSON"),
      ("200 OK", "{}", .unreadableData, "no list of objects"),
    ])
  func refused(status: String, body: String, code: ErrorCodes.ExitStatus, problem: String)
    async throws
  {
    let fixture = try CommandFixture()
    fixture.server.answerNext(.reply(CommandFixture.reply(body, status: status)))
    let ending = await fixture.run(
      "describe", fixture.server.url + "/v1/invoices", input: "canary-key")
    #expect(ending.status == code && ending.output.isEmpty, "\(ending.errors)")
    #expect(ending.errors.contains(problem) && !ending.errors.contains("canary"))
    #expect(fixture.server.requests.count == 1)
  }

  @Test(
    "a command line that cannot work is refused before anything is sent",
    arguments: [
      (["http://api.acme.example/v1"], "expected https"),
      (["https://u:p@api.acme.example/v1"], "without a user name"),
      (["https://api.acme.example/v1?api_key=x"], "header fields only"),
      (["https://api.acme.example/v1", "--basic", "--header", "X-Key"], "exclude each other"),
      (["https://api.acme.example/v1", "--header", "Cookie"], "no cookies"),
      (["https://api.acme.example/v1", "--name", "xero"], "of this name already"),
      (["https://api.acme.example/v1", "--name", "a b"], "expected a name"),
    ])
  func usage(arguments: [String], problem: String) async throws {
    let ending = await (try CommandFixture()).run(["describe"] + arguments, input: "key")
    #expect(ending.status == .usage && ending.errors.contains(problem), "\(ending.errors)")
    let none = await (try CommandFixture()).run("describe", "https://api.acme.example/v1")
    #expect(none.status == .usage && none.errors.contains("There is no token."))
  }
}
