import Authentication
import Foundation
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import AppCore

/// Limits of an account, whichever of its modules and processes sends the requests.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct AccountLimitTests {
  /// A program with its own keyring, as distinct as two in one process can be.
  private func core(_ server: SandboxServer, _ folder: TemporaryDirectory) async throws
    -> ApplicationCore
  {
    let secret = try folder.write(server.machineClientSecret, to: "secret")
    let client = "clientID: \(server.machineClientID), clientSecretFile: \(secret)"
    let yaml = """
      database: \(folder.file("data.sqlite"))
      providers: { xero: { baseURL: "\(server.url)", tokenURL: "\(server.url)/connect/token" } }
      accounts: { default: { \(client) }, other: { \(client) } }
      sessions:
        invoices: { rateLimit: &limits [{ requests: 60, interval: 1m }, { requests: 2, interval: 24h }] }
        contacts: { rateLimit: *limits }
      """
    let core = try ApplicationCore(CoreConfiguration(yaml: yaml), in: folder)
    for account in ["default", "other"] {
      _ = try await core.authenticator.signIn(account, with: .clientCredentials)
    }
    return core
  }

  private func isLimited(_ session: Session, _ server: SandboxServer) async throws -> Bool {
    var request = try Request(url: server.url.appending(path: "connections"))
    request.maximumWait = .seconds(3_600)
    do {
      _ = try await session.send(request)
      return false
    } catch SessionError.rateLimited {
      return true
    }
  }

  @Test("modules, and programs that run one after the other, spend an account's day together")
  func together() async throws {
    let server = try await SandboxServer.untilEnd(SandboxConfiguration())
    let folder = try TemporaryDirectory()
    let first = try await core(server, folder)
    let invoices = try first.session(for: "invoices", account: "default")
    let contacts = try first.session(for: "contacts", account: "default")
    #expect(try await !isLimited(invoices, server))
    #expect(try await !isLimited(contacts, server))
    #expect(try await isLimited(invoices, server))
    let other = try first.session(for: "invoices", account: "other")
    #expect(try await !isLimited(other, server))
    try await first.close()
    let second = try await core(server, folder)
    #expect(try await isLimited(try second.session(for: "contacts", account: "default"), server))
    let otherThen = try second.session(for: "contacts", account: "other")
    #expect(try await !isLimited(otherThen, server))
    #expect(try await isLimited(otherThen, server))
  }
}
