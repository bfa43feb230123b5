import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct AuthorizerTests {
  /// A user who answers when the test allows it.
  private final class User: UserCredentialsSource {
    let gate = Gate()
    let questions = Mutex<[String?]>([])
    let isWithdrawn = Mutex(false)

    func userCredentials(for origin: Origin, realm: String?) async throws -> UserCredentials? {
      questions.withLock { $0.append(realm) }
      return try await withTaskCancellationHandler {
        await gate.wait()
        try Task.checkCancellation()
        return try UserCredentials(user: "ada", password: "pw\(questions.withLock { $0.count })")
      } onCancel: {
        isWithdrawn.withLock { $0 = true }
        gate.open()
      }
    }
  }

  private static func answer(_ status: String, _ fields: String = "") -> ScriptedServer.Step {
    .reply("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\(fields)\r\n")
  }

  private func session(
    _ server: ScriptedServer, _ authorizer: any RequestAuthorizer
  ) -> (Session, @Sendable () throws -> Request) {
    let session = Session(
      name: "x", configuration: SessionConfiguration(), authorizer: authorizer)
    let text = server.url
    return (
      session,
      {
        guard let url = URL(string: text) else { throw CocoaError(.coderInvalidValue) }
        return try Request(url: url)
      }
    )
  }

  private func origins(_ server: ScriptedServer) throws -> Set<Origin> {
    let url = try #require(URL(string: server.url))
    return [try #require(Origin(url))]
  }

  @Test("a user is asked once for many requests, and again with the realm after a refusal")
  func asking() async throws {
    let server = try ScriptedServer(
      (0..<5).map { _ in Self.answer("200 OK") } + [
        Self.answer("401 Unauthorized", "WWW-Authenticate: Basic realm=\"the safe\"\r\n"),
        Self.answer("200 OK"),
      ])
    let user = User()
    let authorizer = BasicAuthorizer(asking: user, origins: try origins(server))
    let (session, request) = session(server, authorizer)
    let tasks = try (0..<5).map { _ in
      let request = try request()
      return Task { try await session.send(request).head.status.code }
    }
    try await eventually("the user is asked") { user.questions.withLock { !$0.isEmpty } }
    user.gate.open()
    for task in tasks { #expect(try await task.joined == 200) }
    #expect(user.questions.withLock { $0 } == [nil])
    #expect(try await session.send(try request()).head.status.code == 200)
    #expect(user.questions.withLock { $0 } == [nil, "the safe"])
    let sent = server.requests.compactMap { $0.firstMatch(of: #/(?i)authorization: (\S+ \S+)/#) }
    #expect(sent.first?.output.1 == "Basic \(Data("ada:pw1".utf8).base64EncodedString())")
    #expect(sent.last?.output.1 == "Basic \(Data("ada:pw2".utf8).base64EncodedString())")
  }

  @Test("a user who closes the question is asked again by the next request")
  func closed() async throws {
    final class Closing: UserCredentialsSource {
      let count = Mutex(0)

      func userCredentials(for origin: Origin, realm: String?) async throws -> UserCredentials? {
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { throw CancellationError() }
        return try UserCredentials(user: "ada", password: "pw")
      }
    }
    let server = try ScriptedServer([Self.answer("200 OK")])
    let user = Closing()
    let authorizer = BasicAuthorizer(asking: user, origins: try origins(server))
    let (session, request) = session(server, authorizer)
    await #expect(throws: (any Error).self) { try await session.send(try request()) }
    #expect(try await session.send(try request()).head.status.code == 200)
    #expect(user.count.withLock { $0 } == 2)
  }

  @Test("cancelling the last request withdraws the question, and a reset ends the others")
  func leaving() async throws {
    let server = try ScriptedServer([Self.answer("200 OK")])
    let user = User()
    let authorizer = BasicAuthorizer(asking: user, origins: try origins(server))
    let (session, request) = session(server, authorizer)
    let one = try request()
    let waiting = Task { try await session.send(one) }
    try await eventually("the user is asked") { user.questions.withLock { !$0.isEmpty } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.joined }
    try await eventually("the question is withdrawn") { user.isWithdrawn.withLock { $0 } }

    let second = User()
    let other = BasicAuthorizer(asking: second, origins: try origins(server))
    let (again, _) = self.session(server, other)
    let pending = Task { try await again.send(one) }
    try await eventually("the user is asked") { second.questions.withLock { !$0.isEmpty } }
    other.reset()
    await #expect {
      _ = try await pending.joined
    } throws: { error in
      if case SessionError.credentialsRefused = error { true } else { false }
    }
    var dumped = ""
    dump(
      BasicAuthorizer(try UserCredentials(user: "u", password: "canary"), origins: []), to: &dumped)
    dump(try UserCredentials(user: "u", password: "canary"), to: &dumped)
    #expect(!dumped.contains("canary"))
    await session.shutdown()
    await again.shutdown()
  }

  @Test("a server that refuses everything is not asked for ever, and neither is the user")
  func turnedDown() async throws {
    let server = try ScriptedServer([Self.answer("401 Unauthorized")])
    let user = User()
    user.gate.open()
    let authorizer = BasicAuthorizer(asking: user, origins: try origins(server))
    let (session, request) = session(server, authorizer)
    for _ in 0..<5 {
      #expect(try await session.send(try request()).head.status.code == 401)
    }
    #expect(user.questions.withLock { $0.count } <= 5)
    #expect(server.requests.count <= 10)
  }

  @Test("a request's own credentials override the session's")
  func ownCredentials() async throws {
    let server = try ScriptedServer([Self.answer("200 OK")])
    let authorizer = try BearerAuthorizer(token: "session", origins: try origins(server))
    let (session, request) = session(server, authorizer)
    var own = try request()
    own.fields[.authorization] = "Bearer own"
    _ = try await session.send(own)
    #expect(server.requests[0].contains("Bearer own") && !server.requests[0].contains("session"))
  }

  @Test("a composite authorizer chooses by origin, and other origins get nothing")
  func composite() async throws {
    let server = try ScriptedServer([Self.answer("200 OK")])
    let other = try ScriptedServer([Self.answer("200 OK")])
    let origin = try #require(try origins(server).first)
    let authorizer = CompositeAuthorizer([
      origin: try BearerAuthorizer(token: "mine", origins: [origin])
    ])
    let (session, request) = session(server, authorizer)
    _ = try await session.send(try request())
    let (_, foreign) = self.session(other, authorizer)
    _ = try await session.send(try foreign())
    #expect(server.requests[0].contains("Bearer mine"))
    #expect(!other.requests[0].lowercased().contains("authorization"))
  }

  // Edge case 5
  @Test("a 403 is not a 401, and a missing scope is named")
  func insufficientScope() async throws {
    let challenge =
      "WWW-Authenticate: Bearer realm=\"x\", error=\"insufficient_scope\", scope=\"a b\"\r\n"
    let server = try ScriptedServer([
      Self.answer("403 Forbidden"), Self.answer("403 Forbidden", challenge),
    ])
    let (session, request) = session(
      server, try BearerAuthorizer(token: "t", origins: try origins(server)))
    #expect(try await session.send(try request()).head.status.code == 403)
    await #expect {
      _ = try await session.send(try request())
    } throws: { error in
      if case SessionError.insufficientScope("a b", _, _) = error { true } else { false }
    }
    #expect(server.requests.count == 2)
  }

  /// An authorizer that counts how often it has to replace its credentials.
  private final class Counting: RequestAuthorizer {
    let replacements = Mutex(0)

    func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
      request.headerFields[.authorization] = "Bearer short-token"
      return CredentialGeneration(rawValue: 1)
    }

    func replaceCredentials(
      rejected: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
    ) async throws -> Bool {
      replacements.withLock { $0 += 1 }
      return false
    }
  }

  // Edge case 5
  @Test("a 401 that denies a permission renews nothing, and its words are kept without the token")
  func deniedPermission() async throws {
    func answer(_ body: String, _ fields: String = "") -> ScriptedServer.Step {
      .reply(
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: \(body.utf8.count)\r\n\(fields)"
          + "Connection: close\r\n\r\n\(body)")
    }
    let server = try ScriptedServer([
      answer(#"{"Title":"Unauthorized","Status":401,"Detail":"AuthorizationUnsuccessful"}"#),
      answer(#"{"message":"short-token has expired"}"#),
      answer("", "WWW-Authenticate: Bearer error=insufficient_scope, error_description=more\r\n"),
    ])
    let authorizer = Counting()
    let (session, request) = session(server, authorizer)
    let denied = try await session.send(try request())
    #expect(denied.providerMessage?.text == "AuthorizationUnsuccessful")
    #expect(authorizer.replacements.withLock { $0 } == 0)
    let expired = try await session.send(try request())
    #expect(expired.providerMessage?.text == "… has expired")
    #expect(authorizer.replacements.withLock { $0 } == 1)
    await #expect {
      _ = try await session.send(try request())
    } throws: { error in
      (error as? SessionError)?.providerMessage?.text == "more"
    }
    #expect(authorizer.replacements.withLock { $0 } == 1)
  }

  @Test(
    "challenges are parsed as in RFC 9110, and malformed ones are empty",
    arguments: [
      ("Basic", [AuthenticationChallenge(scheme: "basic", parameters: [:])]),
      (
        #"Bearer realm="a, \"b\"", error=invalid_token"#,
        [.init(scheme: "bearer", parameters: ["realm": "a, \"b\"", "error": "invalid_token"])]
      ),
      (
        #"Digest x="1" , y=2, Basic realm="r""#,
        [
          .init(scheme: "digest", parameters: ["x": "1", "y": "2"]),
          .init(scheme: "basic", parameters: ["realm": "r"]),
        ]
      ),
      ("", []), (",,, ", []), ("=", []),
      (#"Bearer realm="open"#, [.init(scheme: "bearer", parameters: [:])]),
    ])
  func challenges(text: String, expected: [AuthenticationChallenge]) {
    #expect(AuthenticationChallenge.parse(text) == expected)
  }

  @Test(
    "origins are distinguished however a request spells them",
    arguments: [
      ("https", "api.example.com", true), ("https", "api.example.com:443", true),
      ("https", "API.example.com", true), ("http", "api.example.com", false),
      ("https", "api.example.com:8443", false), ("https", "api.example.com.evil.org", false),
      ("https", "evil@api.example.com", true),
    ])
  func originSets(scheme: String, authority: String, isInside: Bool) throws {
    let url = try #require(URL(string: "https://api.example.com/"))
    let set = OriginSet([try #require(Origin(url))])
    let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
    #expect(set.contains(request) == isInside)
  }
}
