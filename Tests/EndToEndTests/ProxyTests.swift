import Foundation
import TestSupport
import Testing

/// The real program behind a proxy that wants to know who asks.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct ProxyTests {
  // Edge case 58
  @Test("a proxy's refusal is reported with its fix and without its password")
  func authentication() async throws {
    let proxy = try await ProxyServer(.init(credentials: "me:canary-right/1"))
    // This machine is never reached by a proxy, so the API is elsewhere.
    let fixture = try await ProgramFixture(apiURL: "https://api.example").signedIn()
    #expect(proxy.asked.isEmpty)
    for (user, shown, status) in [
      ("", nil, Int32(78)), ("me:canary-wrong@", "me:canary-wrong", 78),
      // The proxy leads to this machine only: it is past its question, and there is no way on.
      ("me:canary-right%2F1@", "me:canary-right/1", 69),
    ] {
      let before = proxy.asked.count
      var environment = fixture.environment
      environment["https_proxy"] = "http://\(user)127.0.0.1:\(proxy.port)"
      let ending = try await ChildProcess(
        try ChildProcess.built("appcore"), ["sync", "invoices", "--json", "-vv", "--trace-http"],
        environment: environment
      ).ending()
      #expect(ending.status == status, "\(user): \(ending.errors)")
      let asked = proxy.asked.dropFirst(before)
      #expect(asked.allSatisfy { $0.isTunnel && $0.authority == "api.example:443" })
      #expect(!asked.isEmpty && asked.allSatisfy { $0.credentials == shown })
      #expect(ending.errors.contains("proxy-credentials") == (status == 78), "\(ending.errors)")
      #expect(ending.errors.contains("https_proxy") == (status == 78))
      #expect(!ending.errors.contains("canary-") && ending.output.isEmpty)
      let encoded = Data((shown ?? "canary").utf8).base64EncodedString()
      #expect(!ending.errors.contains(encoded))
      #expect(try await fixture.run("status").output.contains("valid"))
    }
  }

  // Edge case 58
  @Test("a sign-in that a proxy refuses says so as well, and opens no page")
  func signIn() async throws {
    let proxy = try await ProxyServer(.init(credentials: "me:canary-right"))
    let fixture = try await ProgramFixture()
    var environment = fixture.environment
    environment["https_proxy"] = "http://me:canary-wrong@127.0.0.1:\(proxy.port)"
    environment["APPCORE_CONFIG"] = try fixture.keyring.home.write(
      """
      accounts: { default: { clientID: client } }
      providers: { xero: { issuer: "https://issuer.example" } }

      """, to: "proxy.yaml")
    let ending = try await ChildProcess(
      try ChildProcess.built("appcore"), ["login", "--json"], environment: environment
    ).ending()
    #expect(ending.status == 78, "\(ending.errors)")
    #expect(ending.errors.contains("proxy-credentials") && !ending.errors.contains("visit"))
    #expect(!ending.errors.contains("canary"))
    #expect(proxy.asked.first?.authority == "issuer.example:443")
  }
}
