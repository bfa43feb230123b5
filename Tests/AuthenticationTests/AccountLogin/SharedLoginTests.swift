import Foundation
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Accounts that use the login of another one.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SharedLoginTests {
  private func authenticator(_ fixture: AuthenticationFixture) throws -> Authenticator {
    try fixture.peer(sharing: ["acme": "default", "globex": "default"])
  }

  @Test("a sign-in, a renewal and a stored login serve every account that shares it")
  func shared() async throws {
    let fixture = try await AuthenticationFixture()
    let shared = try authenticator(fixture)
    _ = try await shared.signIn(
      "acme", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
    #expect(try await fixture.record() != nil)
    let login = try await shared.loginID(of: "default")
    #expect(try await shared.loginID(of: "globex") == login)
    let before = shared.tokenRequests
    fixture.server.expireAccessTokens()
    fixture.clock.advance(by: .seconds(3_600))
    async let first = shared.loginID(of: "default")
    async let second = shared.loginID(of: "acme")
    async let third = shared.loginID(of: "globex")
    #expect(try await [first, second, third] == [login, login, login])
    #expect(shared.tokenRequests - before == 1)
    #expect(try await shared.status(of: "globex").account == "default")
  }

  @Test("a sign-out by any of them ends the login of all")
  func signOut() async throws {
    let fixture = try await AuthenticationFixture()
    let shared = try authenticator(fixture)
    _ = try await shared.signIn(
      "default", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
    #expect(try await shared.signOut("globex").wasSignedIn)
    for name in ["default", "acme", "globex"] {
      #expect(try await shared.status(of: name).state == .signedOut)
    }
    #expect(try await fixture.record() == nil)
    await #expect(throws: AuthenticationError.self) { try await shared.status(of: "other") }
  }
}
