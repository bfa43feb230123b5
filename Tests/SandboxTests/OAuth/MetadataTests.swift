import Foundation
import Sandbox
import Testing

@Suite struct MetadataTests {
  private struct Document: Decodable {
    var issuer: String
    var authorization_endpoint: String
    var token_endpoint: String
    var revocation_endpoint: String
    var code_challenge_methods_supported: [String]
    var grant_types_supported: [String]
    var authorization_response_iss_parameter_supported: Bool?
  }

  @Test("The metadata name the server's own address and what it can do")
  func metadata() async throws {
    try await withSandbox { server, caller in
      let answer = try await caller.get("/.well-known/oauth-authorization-server")
      let document = try JSONDecoder().decode(Document.self, from: Data(answer.body))
      #expect(document.issuer == server.url.absoluteString)
      #expect(document.authorization_endpoint == document.issuer + "/connect/authorize")
      #expect(document.token_endpoint == document.issuer + "/connect/token")
      #expect(document.revocation_endpoint == document.issuer + "/connect/revoke")
      #expect(document.code_challenge_methods_supported == ["S256"])
      #expect(document.grant_types_supported.contains("client_credentials"))
      #expect(document.authorization_response_iss_parameter_supported == true)
    }
  }

  @Test("A server that does not announce its issuer neither says nor sends it")
  func silentIssuer() async throws {
    try await withSandbox {
      $0.announcesIssuer = false
    } _: { _, caller in
      let answer = try await caller.get("/.well-known/oauth-authorization-server")
      let document = try JSONDecoder().decode(Document.self, from: Data(answer.body))
      #expect(document.authorization_response_iss_parameter_supported == nil)
      let redirect = try await caller.get(caller.authorizePath())
      #expect(SandboxCaller.parameters(of: redirect)["iss"] == nil)
    }
  }

  @Test("There is no OpenID configuration")
  func noOpenID() async throws {
    try await withSandbox { _, caller in
      let answer = try await caller.get("/.well-known/openid-configuration")
      #expect(answer.status == 404)
    }
  }
}
