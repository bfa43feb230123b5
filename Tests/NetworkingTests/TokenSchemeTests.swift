import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import Networking
import TestSupport
import Testing
import Tracing

/// Tokens that are shown in other ways than as a bearer's.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct TokenSchemeTests {
  /// Shows a token at one origin, as an account's authorizer does.
  private struct SchemeAuthorizer: RequestAuthorizer {
    let scheme: TokenScheme
    let origin: Origin?

    func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
      guard Origin(request) == origin else {
        throw SessionError.credentialsRefused(origin: Origin(request))
      }
      let field = scheme.field(for: "canary")
      request.headerFields[field.name] = field.value
      return CredentialGeneration(rawValue: 0)
    }

    func replaceCredentials(
      rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
    ) async throws -> Bool { false }
  }

  private static func name(_ text: String) throws -> HTTPField.Name {
    try #require(HTTPField.Name(text))
  }

  @Test("a scheme says which field shows a token, and how it is written there")
  func fields() throws {
    let field = HTTPField(name: .authorization, value: "Bearer abc")
    #expect(TokenScheme.bearer.field(for: "abc") == field)
    #expect(
      TokenScheme.basic.field(for: "abc").value
        == "Basic " + Data("abc:".utf8).base64EncodedString())
    #expect(
      TokenScheme.basic.field(for: "abc:secret").value
        == "Basic " + Data("abc:secret".utf8).base64EncodedString())
    let own = TokenScheme.header(try Self.name("X-API-TOKEN")).field(for: "abc")
    #expect(own.name.rawName == "X-API-TOKEN" && own.value == "abc")
    let prefixed = TokenScheme.header(.authorization, prefix: "Token token=").field(for: "abc")
    #expect(prefixed.name == .authorization && prefixed.value == "Token token=abc")
  }

  @Test(
    "a redirect to another origin does not carry the token, whatever its header field",
    arguments: [302, 307])
  func redirect(status: Int) async throws {
    let schemes: [TokenScheme] = [
      .bearer, .basic, .header(try Self.name("X-API-TOKEN"), prefix: "Token "),
    ]
    for scheme in schemes {
      let other = try ScriptedServer([ObservedSession.ok])
      let server = try ScriptedServer([
        ObservedSession.reply("\(status) Moved", fields: "Location: \(other.url)/there\r\n")
      ])
      let observed = ObservedSession(
        authorizer: SchemeAuthorizer(
          scheme: scheme, origin: Origin(try #require(URL(string: server.url)))))
      #expect(try await observed.get(server) == 200)
      let shown = scheme.field(for: "canary")
      #expect(
        server.requests.first?.contains("\(shown.name.rawName): \(shown.value)\r\n") == true)
      #expect(other.requests.count == 1)
      #expect(other.requests.first?.contains(shown.value) == false)
    }
  }

  @Test("no log, trace, observer or error shows a token in a header field of its own")
  func secrecy() async throws {
    let answers = [ObservedSession.reply("401 No", body: "canary"), .reset]
    let server = try ScriptedServer(answers)
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "test", factory: { _ in handler })
    logger.logLevel = .trace
    let scheme = TokenScheme.header(try Self.name("X-API-TOKEN"), prefix: "Token ")
    let url = try #require(URL(string: server.url))
    let tracer = InMemoryTracer()
    var reported: [String] = []
    try await withTracer(tracer) {
      let observed = ObservedSession(
        authorizer: SchemeAuthorizer(scheme: scheme, origin: Origin(url)), logger: logger)
      let status = try await observed.get(server)
      #expect(status == 401)
      do { try await observed.get(server) } catch { reported.append("\(error)") }
      reported += observed.exchanges.map { "\($0)" }
    }
    #expect(server.requests.allSatisfy { $0.contains("X-API-TOKEN: Token canary\r\n") })
    reported += handler.entries.map { "\($0)" } + tracer.finishedSpans.map { "\($0)" }
    // An error, two exchanges, their two lines and spans.
    #expect(reported.count == 7, "\(reported)")
    #expect(reported.allSatisfy { !$0.contains("canary") }, "\(reported)")
  }
}
