import AppCore
import Authentication
import Foundation
import SecureStore
import TestSupport
import Testing

/// Several cores in one process.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SeveralCoresTests {
  private let store = InMemorySecretStore()
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func core(_ name: String, service: String) throws -> ApplicationCore {
    var account = AccountConfiguration(provider: "xero")
    account.clientID = "client"
    var configuration = CoreConfiguration()
    configuration.accounts = ["default": account]
    configuration.secretStore = .keyring(service: service)
    let core = try ApplicationCore(
      configuration: configuration, secretStore: store,
      directories: Directories(below: folder.file(name)), makeLogger: { _ in .silent })
    CleanUp.atEnd { try? await core.close() }
    return core
  }

  @Test("two cores with a service each keep two logins of one account name in one store")
  func services() async throws {
    let one = try core("one", service: "one")
    let other = try core("other", service: "other")
    let tokens = try #require(TokenSet(pasted: "token-of-one"))
    _ = try await one.authenticator.setTokens(tokens, for: "default")
    #expect(try await one.state(ofAccount: "default").userAction == nil)
    #expect(try await other.state(ofAccount: "default").userAction != nil)
    #expect(try await store.secret(for: SecretKey(service: "one", account: "default")) != nil)
    #expect(try await store.secret(for: SecretKey(service: "other", account: "default")) == nil)
    _ = try await other.signOut("default")
    #expect(try await one.state(ofAccount: "default").userAction == nil)
  }

  @Test("a second core with the same logins is refused until the first one is closed")
  func sameService() async throws {
    let one = try core("one", service: "shared")
    #expect(throws: AuthenticationError.self) { try core("other", service: "shared") }
    try await one.close()
    _ = try core("other", service: "shared")
  }
}
