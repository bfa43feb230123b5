import Foundation
import Networking
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct MetadataTests {
  private struct Document: Decodable {
    var issuer: String
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var revocationEndpoint: String
    var codeChallengeMethodsSupported: [String]
    var grantTypesSupported: [String]
    var authorizationResponseIssParameterSupported: Bool?

    init(_ answer: Response) throws {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      self = try decoder.decode(Document.self, from: Data(answer.body))
    }
  }

  @Test("the metadata name the server's own address and what it can do")
  func metadata() async throws {
    let (server, caller) = try await startSandbox()
    let answer = try await caller.get("/.well-known/oauth-authorization-server")
    let document = try Document(answer)
    #expect(document.issuer == server.url.absoluteString)
    #expect(document.authorizationEndpoint == document.issuer + "/connect/authorize")
    #expect(document.tokenEndpoint == document.issuer + "/connect/token")
    #expect(document.revocationEndpoint == document.issuer + "/connect/revoke")
    #expect(document.codeChallengeMethodsSupported == ["S256"])
    #expect(document.grantTypesSupported.contains("client_credentials"))
    #expect(document.authorizationResponseIssParameterSupported == true)
  }

  @Test("a server that does not announce its issuer neither says nor sends it")
  func silentIssuer() async throws {
    let (_, caller) = try await startSandbox { $0.announcesIssuer = false }
    let answer = try await caller.get("/.well-known/oauth-authorization-server")
    let document = try Document(answer)
    #expect(document.authorizationResponseIssParameterSupported == nil)
    let redirect = try await caller.get(caller.authorizePath())
    #expect(SandboxCaller.parameters(of: redirect)["iss"] == nil)
  }

  @Test("the server has no OpenID configuration")
  func noOpenID() async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.get("/.well-known/openid-configuration")
    #expect(answer.status == 404)
  }
}
