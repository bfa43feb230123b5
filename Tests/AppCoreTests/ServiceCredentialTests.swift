import Authentication
import Foundation
import SecureStore
import TestSupport
import Testing

@testable import AppCore

/// Tokens that systemd passes to a service.
@Suite(.timeLimit(.minutes(10))) struct ServiceCredentialTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func makeAccount(tokenMode mode: Int?) throws -> Account {
    if let mode {
      let token = try folder.write("very-secret-token\n", to: "appcore.default.token")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: token)
    }
    let configuration = try CoreConfiguration(
      yaml: "accounts: { default: { provider: stripe } }")
    let account = try #require(configuration.accounts["default"])
    return try account.account(
      named: "default", in: configuration,
      ServiceCredentials(environment: ["CREDENTIALS_DIRECTORY": folder.path]))
  }

  // A group's right to read is how the mode shows an access control list of systemd.
  @Test("a token that only the service can read is used", arguments: [0o400, 0o600, 0o440])
  func ownToken(mode: Int) throws {
    #expect(
      try makeAccount(tokenMode: mode).providedTokens?.accessToken == Secret("very-secret-token"))
  }

  @Test("a token that others can read or change is refused", arguments: [0o444, 0o404, 0o460])
  func exposedToken(mode: Int) throws {
    #expect {
      _ = try makeAccount(tokenMode: mode)
    } throws: { error in
      guard let error = error as? ConfigurationError else { return false }
      return error.source == folder.file("appcore.default.token")
        && error.problem.hasPrefix("other users can read the token; run: chmod 600 ")
    }
  }

  @Test("without a token, the stored login is used")
  func noToken() throws {
    #expect(try makeAccount(tokenMode: nil).providedTokens == nil)
  }
}
