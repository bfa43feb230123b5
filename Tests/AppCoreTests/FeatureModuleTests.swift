import Authentication
import Foundation
import HTTPTypes
import Networking
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The sessions and requests of a front end's own feature modules.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct FeatureModuleTests {
  private static let one = #"{"tenantId":"t-1","tenantName":"One","tenantType":"ORGANISATION"}"#
  private static let two = #"{"tenantId":"t-2","tenantName":"Two","tenantType":"ORGANISATION"}"#

  /// Returns a core whose account is signed in at a server that answers with these bodies.
  private func core(
    _ bodies: [String], account: String = "provider: xero, clientID: c"
  ) async throws -> (ApplicationCore, ScriptedServer) {
    let server = try ScriptedServer(bodies.map { .body($0) })
    CleanUp.atEnd { server.stop() }
    let address = """
      { baseURL: "\(server.url)/base/", authorizationURL: "\(server.url)/a",
        tokenURL: "\(server.url)/t" }
      """
    let core = try ApplicationCore(
      CoreConfiguration(
        yaml: """
          accounts: { default: { \(account) } }
          providers: { xero: \(address), quickbooks: \(address) }
          sessions: { documents: { concurrency: 3, retry: { attempts: 1 } } }
          """),
      in: TemporaryDirectory())
    return (core, server)
  }

  private func signIn(_ core: ApplicationCore) async throws {
    let tokens = try #require(TokenSet(pasted: "canary-token"))
    _ = try await core.signIn("default", with: .tokens(tokens))
  }

  @Test("what the user's file states goes before a module's own values")
  func defaults() async throws {
    let (core, _) = try await core([""])
    var own = SessionConfiguration()
    own.concurrency = 2
    own.timeout.request = .seconds(300)
    let documents = try core.session(for: "documents", account: "default", defaults: own)
    #expect(documents.configuration.concurrency == 3)
    #expect(documents.configuration.retry.attempts == 1)
    #expect(documents.configuration.timeout.request == .seconds(300))
    #expect(try core.session(for: "documents", account: "default") === documents)
    let previews = try core.session(for: "previews", account: "default", defaults: own)
    #expect(previews.configuration.concurrency == 2)
    // What a front end sets in the configuration itself is its last word.
    var configuration = core.configuration
    configuration.sessions["previews"] = SessionConfiguration()
    #expect(configuration.session("previews", defaults: own) == SessionConfiguration())
  }

  @Test("a document with the keys of the file is a session's configuration")
  func document() throws {
    let read = try CoreConfiguration.session(
      "documents",
      json: """
        {"timeout": {"request": "90s", "idle": null}, "concurrency": 2, "rateLimit": null,
         "headers": {"X-Client": "bl\\u0075e"}}
        """)
    let yaml = """
      sessions:
        documents: { timeout: { request: 90s }, concurrency: 2, headers: { X-Client: blue } }
      """
    #expect(try CoreConfiguration(yaml: yaml).session("documents") == read)
    for (json, key) in [
      (#"{"concurency": 2}"#, "concurency"), (#"{"timeout": {"request": 90}}"#, "timeout.request"),
    ] {
      expectMistake(key: key) { try CoreConfiguration.session("documents", json: json) }
    }
  }

  @Test("a request has the provider's fields, and the only organisation is asked for once")
  func organisation() async throws {
    let (core, server) = try await core(["[\(Self.one)]"])
    try await signIn(core)
    let before = server.requests.count
    let requests = try await withThrowingTaskGroup { group in
      for page in 1...20 {
        group.addTask {
          try await core.request(to: "/api.xro/2.0/Invoices?page=\(page)", account: "default")
        }
      }
      return try await group.reduce(into: [Request]()) { $0.append($1) }
    }
    #expect(server.requests.count == before + 1)
    let tenant = try #require(HTTPField.Name("Xero-tenant-id"))
    #expect(requests.allSatisfy { $0.fields[tenant] == "t-1" })
    #expect(
      Set(requests.map(\.url.absoluteString)).contains(
        "\(server.url)/base/api.xro/2.0/Invoices?page=7"))
    let session = try core.session(for: "documents", account: "default")
    _ = try await session.send(try #require(requests.first))
    let sent = try #require(server.requests.last?.lowercased())
    #expect(sent.contains("authorization: bearer canary-token"))
    #expect(sent.contains("xero-tenant-id: t-1"))
  }

  @Test("a request to another origin has neither the login nor the organisation")
  func otherOrigin() async throws {
    let (core, server) = try await core(["[\(Self.one)]"])
    try await signIn(core)
    let other = try ScriptedServer([.body("file")])
    CleanUp.atEnd { other.stop() }
    let session = try core.session(for: "documents", account: "default")
    let request = try await core.request(to: "\(other.url)/file", account: "default")
    #expect(String(decoding: try await session.send(request).body, as: UTF8.self) == "file")
    let sent = try #require(other.requests.first?.lowercased())
    #expect(!sent.contains("canary") && !sent.contains("tenant") && !sent.contains("authorization"))
    // An absolute address at the API is one of its paths, and a path cannot lead elsewhere.
    let same = try await core.request(to: "\(server.url)/base/x", account: "default")
    #expect(same.authorization == .required && same.fields.count == 1)
    let path = try await core.request(to: "//\(other.url.dropFirst(7))/x", account: "default")
    #expect(path.url.host() == "127.0.0.1" && path.url.path().hasPrefix("/base/"))
    #expect(path.url.port == server.port)
    await #expect(throws: SessionError.self) {
      _ = try await core.request(to: "a/../../x", account: "default")
    }
  }

  @Test("the organisation stands in the path where a provider wants it there")
  func placeholder() async throws {
    let (core, server) = try await core(
      [""], account: "provider: quickbooks, clientID: c, tenantID: \"12/3\"")
    let request = try await core.request(
      .post, to: "v3/company/{tenantID}/invoice/1/pdf", account: "default")
    #expect(request.url.absoluteString == "\(server.url)/base/v3/company/12%2F3/invoice/1/pdf")
    #expect(request.method == .post && request.fields.isEmpty)
  }

  @Test("a login that reaches several organisations needs a choice, which is asked for again")
  func several() async throws {
    let (core, _) = try await core(["[\(Self.one),\(Self.two)]"])
    try await signIn(core)
    await #expect {
      _ = try await core.request(to: "x", account: "default")
    } throws: {
      guard case SyncError.organisationUnclear(let available)? = $0 as? SyncError else {
        return false
      }
      return available.count == 2
    }
    let found = try await core.organisations(account: "default")
    try await core.chooseOrganisation(found[1], account: "default")
    let request = try await core.request(to: "x", account: "default")
    #expect(request.fields.map(\.value) == ["t-2"])
  }
}
