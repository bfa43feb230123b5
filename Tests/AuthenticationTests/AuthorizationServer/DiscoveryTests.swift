import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Endpoints from metadata and from the configuration.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DiscoveryTests {
  private func metadata(_ members: String, issuer: String) -> [UInt8] {
    Array(#"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/a",\#(members)}"#.utf8)
  }

  @Test("a malformed member of the metadata counts as absent")
  func members() throws {
    let issuer = try #require(URL(string: "https://id.example"))
    let server = try ServerDiscovery.server(
      from: metadata(
        #""token_endpoint":"https://id.example/t","revocation_endpoint":5,"#
          + #""device_authorization_endpoint":["x"],"end_session_endpoint":"","#
          + #""authorization_response_iss_parameter_supported":"yes""#,
        issuer: issuer.absoluteString), issuer: issuer)
    #expect(server.revocationEndpoint == nil && server.deviceAuthorizationEndpoint == nil)
    #expect(server.endSessionEndpoint == nil && !server.announcesIssuer)
    #expect(throws: DiscoveryError.malformed) {
      try ServerDiscovery.server(
        from: metadata(#""token_endpoint":{}"#, issuer: issuer.absoluteString), issuer: issuer)
    }
  }

  @Test("each given endpoint wins over the metadata")
  func given() throws {
    let issuer = try #require(URL(string: "https://id.example"))
    var given = AuthorizationEndpoints()
    given.deviceAuthorization = URL(string: "https://id.example/device")
    let body = metadata(
      #""token_endpoint":"https://id.example/t","revocation_endpoint":"https://id.example/r""#,
      issuer: issuer.absoluteString)
    let server = try ServerDiscovery.server(from: body, issuer: issuer, given: given)
    #expect(server.tokenEndpoint.absoluteString == "https://id.example/t")
    #expect(server.revocationEndpoint?.absoluteString == "https://id.example/r")
    #expect(server.deviceAuthorizationEndpoint == given.deviceAuthorization)
    given.token = URL(string: "https://other.example/t")
    // The given endpoints replace those that the metadata lacks or has malformed.
    let other = try ServerDiscovery.server(
      from: metadata(#""token_endpoint":"http://insecure.example""#, issuer: issuer.absoluteString),
      issuer: issuer, given: given)
    #expect(other.tokenEndpoint == given.token && other.issuer == issuer.absoluteString)
    #expect(
      AuthorizationServerSource.discovery(issuer: issuer, given: given).identity
        != AuthorizationServerSource.discovery(issuer: issuer).identity)
  }

  @Test("a slash at the end of an issuer names no other server, and a mismatch names both")
  func issuerNames() throws {
    let (plain, slash) = ("https://id.example/realm", "https://id.example/realm/")
    let issuer = try #require(URL(string: plain))
    let source = AuthorizationServerSource.discovery(issuer: issuer)
    #expect(source.isIdentified(by: plain) && source.isIdentified(by: slash))
    #expect(!source.isIdentified(by: "https://id.example"))
    #expect(!source.isIdentified(by: slash + " https://id.example/t"))
    _ = try ServerDiscovery.server(
      from: metadata(#""token_endpoint":"https://id.example/t""#, issuer: slash), issuer: issuer)
    let other = metadata(
      #""token_endpoint":"https://id.example/t""#, issuer: "https://id.example/other")
    let error = #expect(throws: DiscoveryError.self) {
      try ServerDiscovery.server(from: other, issuer: issuer)
    }
    let text = try #require(error.map { "\($0)" })
    #expect(text.contains("'\(plain)'") && text.contains("'https://id.example/other'"))
  }

  @Test(
    "a server whose well-known addresses answer something else is used by the given endpoints",
    arguments: [
      FaultScript.Step.response(body: "<html></html>"), .response("403 Forbidden"),
      .response("500 Internal Server Error"),
      .tokens("{}"),
    ])
  func pageInsteadOfMetadata(answer: FaultScript.Step) async throws {
    let fixture = try await WireFixture([[answer], [answer], [answer], [answer]])
    let issuer = try #require(URL(string: fixture.server.url))
    let discovery = ServerDiscovery(session: fixture.session)
    var given = AuthorizationEndpoints()
    given.token = issuer.appending(path: "t")
    await #expect(throws: DiscoveryError.self) {
      try await discovery.server(of: issuer, given: given)
    }
    given.authorization = issuer.appending(path: "a")
    let server = try await discovery.server(of: issuer, given: given)
    #expect(server.tokenEndpoint == given.token && server.issuer == issuer.absoluteString)
    #expect(fixture.server.requests.count == 4)
  }

  @Test(
    "only an issuer on this machine may name an endpoint on this machine",
    arguments: [
      "authorization_endpoint", "token_endpoint", "revocation_endpoint",
      "device_authorization_endpoint", "end_session_endpoint",
    ])
  func loopback(member: String) throws {
    let endpoint = "http://127.0.0.1:8080/x"
    var members = [
      "authorization_endpoint": "https://id.example/a", "token_endpoint": "https://id.example/t",
    ]
    members[member] = endpoint
    func metadata(of issuer: URL) throws -> [UInt8] {
      members["issuer"] = issuer.absoluteString
      return Array(try JSONEncoder().encode(members))
    }
    let issuer = try #require(URL(string: "https://id.example"))
    #expect(throws: DiscoveryError.insecure(try #require(URL(string: endpoint)))) {
      try ServerDiscovery.server(from: metadata(of: issuer), issuer: issuer)
    }
    let here = try #require(URL(string: "http://127.0.0.1:8080"))
    _ = try ServerDiscovery.server(from: metadata(of: here), issuer: here)
  }

  // Edge case 41
  @Test("the configuration's device endpoint replaces one that the metadata omits")
  func device() async throws {
    struct Display: AuthenticationDelegate {
      func showDeviceCode(_ prompt: DeviceCodePrompt) async throws {}
    }
    let fixture = try await WireFixture([
      [.response("404 Not Found")], [.response("404 Not Found")],
      [
        .tokens(
          #"{"device_code":"d","user_code":"U","verification_uri":"https://a.example","interval":1}"#
        )
      ],
      [.tokens(#"{"access_token":"a1","refresh_token":"r1"}"#)],
    ])
    let url = try #require(URL(string: fixture.server.url))
    var given = AuthorizationEndpoints()
    given.authorization = url.appending(path: "authorize")
    given.token = url.appending(path: "token")
    given.deviceAuthorization = url.appending(path: "device")
    let account = try #require(
      Account(
        name: "default", server: .discovery(issuer: url, given: given),
        client: OAuthClient(id: "client")))
    let authenticator = try Authenticator(
      accounts: [account], store: TestStore(backing: InMemorySecretStore()),
      session: fixture.session, lockFolder: fixture.folder.path, logger: .silent,
      time: fixture.clock.source)
    let signIn = Task {
      try await authenticator.signIn("default", with: .deviceCode(delegate: Display()))
    }
    try await fixture.clock.awaitSleeper()
    fixture.clock.advance(by: .seconds(1))
    #expect(try await signIn.joined.state == .valid)
    let asked = fixture.server.requests.compactMap { $0.split(separator: " ").dropFirst().first }
    #expect(
      asked == [
        "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/device",
        "/token",
      ])
  }
}
