import Foundation
import HTTPTypes
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Accounts whose API expects the token in another header field.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct AccountTokenSchemeTests {
  @Test(
    "a token from another process uses the account's header field, at its own origin only"
  )
  func stored() async throws {
    let name = try #require(HTTPField.Name("X-API-TOKEN"))
    let fixture = try await AuthenticationFixture { _ in
    } account: {
      $0.tokenScheme = .header(name, prefix: "Key ")
    }
    _ = try await fixture.authenticator.setTokens(
      TokenSet(accessToken: Secret("mine")), for: "default")
    let origin = try #require(Origin(fixture.server.url))
    for authenticator in [fixture.authenticator, try fixture.peer()] {
      let authorizer = try authenticator.authorizer(for: "default", origins: [origin])
      var request = try fixture.connections().head
      _ = try await authorizer.authorize(&request)
      #expect(request.headerFields[name] == "Key mine")
      #expect(request.headerFields[.authorization] == nil)
      let url = try #require(URL(string: "https://other.example/"))
      var other = try Request(url: url).head
      await #expect(throws: SessionError.self) { _ = try await authorizer.authorize(&other) }
      #expect(other.headerFields[name] == nil)
    }
  }
}
