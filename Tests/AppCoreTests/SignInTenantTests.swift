import Authentication
import Foundation
import Models
import Networking
import Sandbox
import SecureStore
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import AppCore

/// The company that a user chose while signing in at QuickBooks.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SignInTenantTests {
  private final class Addresses: Sendable {
    private let paths = Mutex<Set<String>>([])
    /// The companies that were asked about.
    var companies: Set<String> {
      Set(
        paths.withLock { $0 }.compactMap { $0.split(separator: "/").dropFirst(2).first }.map(
          String.init))
    }
    func note(_ url: String) {
      guard let path = URL(string: url)?.path(), path.hasPrefix("/v3/company/") else { return }
      paths.withLock { _ = $0.insert(path) }
    }
  }

  private func core(
    _ server: SandboxServer, _ folder: TemporaryDirectory, _ addresses: Addresses,
    account: String = ""
  ) throws -> ApplicationCore {
    let yaml = """
      database: \(folder.file("data.sqlite"))
      providers:
        quickbooks:
          baseURL: "\(server.url)"
          authorizationURL: "\(server.url)/connect/authorize"
          tokenURL: "\(server.url)/connect/token"
      accounts:
        default: { provider: quickbooks, clientID: \(server.clientID)\(account) }
      """
    return try ApplicationCore(
      CoreConfiguration(yaml: yaml), in: folder, httpObserver: { addresses.note("\($0.url)") })
  }

  private func server() async throws -> SandboxServer {
    var sandbox = SandboxConfiguration()
    sandbox.provider = .quickbooks
    sandbox.source = .generated(invoices: 20, seed: 1)
    sandbox.tenants = 2
    sandbox.autoApprove = true
    return try await SandboxServer.untilEnd(sandbox)
  }

  @Test("an organisation of the sign-in is synced without being configured")
  func signIn() async throws {
    let server = try await server()
    let folder = try TemporaryDirectory()
    let addresses = Addresses()
    let core = try core(server, folder, addresses)
    await #expect {
      _ = try await core.sync(.invoices, account: "default")
    } throws: { error in
      if case AuthenticationError.signInRequired(_, .notSignedIn, _) = error { true } else { false }
    }
    _ = try await core.authenticator.signIn(
      "default", with: .authorizationCode(delegate: ApprovingBrowser(), timeout: Patience.limit))
    let report = try await core.sync(.invoices, account: "default").run()
    #expect(report.result == .complete && report.counts.inserted > 0)
    let chosen = try #require(server.tenantIDs.first)
    #expect(addresses.companies == [chosen])
  }

  @Test("a configured organisation wins over that of the sign-in")
  func configured() async throws {
    let server = try await server()
    let folder = try TemporaryDirectory()
    let addresses = Addresses()
    let other = try #require(server.tenantIDs.last)
    let core = try core(server, folder, addresses, account: ", tenantID: \(other)")
    _ = try await core.authenticator.signIn(
      "default", with: .authorizationCode(delegate: ApprovingBrowser(), timeout: Patience.limit))
    #expect(try await core.sync(.invoices, account: "default").run().result == .complete)
    #expect(addresses.companies == [other])
  }
}
