import Authentication
import Foundation
import Models
import Networking
import SecureStore
import Storage
import Synchronization
import TestSupport
import Testing

@testable import AppCore

/// Closing the core: what it waits for, and that it can be hurried.
@Suite(.timeLimit(.minutes(10))) struct ClosingTests {
  private final class Waits: Sendable {
    private let works = Mutex<[PendingWork]>([])
    var all: [PendingWork] { works.withLock { $0 } }
    func note(_ work: PendingWork) { works.withLock { $0.append(work) } }
  }

  private func core(
    _ server: FaultServer, _ folder: TemporaryDirectory,
    store: any SecretStore = InMemorySecretStore()
  ) throws -> ApplicationCore {
    let yaml = """
      database: \(folder.file("data.sqlite"))
      providers:
        xero:
          baseURL: "\(server.url)"
          authorizationURL: "\(server.url)/authorize"
          tokenURL: "\(server.url)/token"
      accounts:
        default: { provider: xero, clientID: c, tenantID: t }
      """
    return try ApplicationCore(CoreConfiguration(yaml: yaml), in: folder, store: store)
  }

  private func tokens() -> TokenSet {
    TokenSet(
      accessToken: Secret("a0"), refreshToken: Secret("r0"),
      expiresAt: Date(timeIntervalSinceNow: -60))
  }

  // Edge case 15
  @Test("closing reports a renewal under way and waits for it, however hurried")
  func renewal() async throws {
    let gate = Gate()
    let server = try await FaultServer([
      "/token": [
        .pause(until: gate),
        .response(body: #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#),
      ]
    ])
    let folder = try TemporaryDirectory()
    let core = try core(server, folder)
    _ = try await core.database()
    _ = try await core.authenticator.setTokens(tokens(), for: "default")
    let session = try core.session(for: "invoices", account: "default")
    let request = try Request(url: try #require(URL(string: server.url + "/invoices")))
    let sending = Task { try await session.send(request) }
    try await server.requests(become: 1)
    core.hurry()
    let waits = Waits()
    let closing = Task { try await core.close(onWaiting: waits.note) }
    try await eventually("it waits for the renewal") {
      waits.all.contains(.renewal(account: "default"))
    }
    gate.open()
    try await closing.value
    await #expect(throws: SessionError.self) { _ = try await sending.joined }
    #expect(
      waits.all == [.requests(session: "invoices"), .renewal(account: "default"), .database])
    let status = try await core.authenticator.status(of: "default")
    #expect(status.state == .valid)
    await server.stop()
  }

  @Test("a closed core leaves its store to the next one, even if it is still referred to")
  func storeIsFree() async throws {
    let server = try await FaultServer([:])
    let folder = try TemporaryDirectory()
    let store = InMemorySecretStore()
    let first = try core(server, folder, store: store)
    #expect(throws: AuthenticationError.self) { try core(server, folder, store: store) }
    try await first.close()
    let second = try core(server, folder, store: store)
    // A second end of the first takes nothing from the second.
    try await first.close()
    #expect(throws: AuthenticationError.self) { try core(server, folder, store: store) }
    try await second.close()
    await server.stop()
  }

  @Test("no exchange begins after closing has begun")
  func nothingNew() async throws {
    let server = try await FaultServer(["/token": [.hang]])
    let folder = try TemporaryDirectory()
    let core = try core(server, folder)
    _ = try await core.authenticator.setTokens(tokens(), for: "default")
    let waits = Waits()
    let session = try core.session(for: "invoices", account: "default")
    try await core.close(onWaiting: waits.note)
    let url = try #require(URL(string: server.url))
    let origin = try #require(Origin(url))
    var head = try Request(url: url).head
    let authorizer = try core.authenticator.authorizer(for: "default", origins: [origin])
    await #expect(throws: AuthenticationError.self) { _ = try await authorizer.authorize(&head) }
    #expect(server.requests.isEmpty)
    #expect(waits.all == [.requests(session: session.name)])
    await server.stop()
  }

  @Test("a closed core opens no session and no database again")
  func staysClosed() async throws {
    let server = try await FaultServer([:])
    let folder = try TemporaryDirectory()
    let core = try core(server, folder)
    let database = try await core.database()
    try await core.close()
    await #expect(throws: CoreError.closed) { _ = try await core.database() }
    await #expect(throws: CoreError.closed) { _ = try await core.databaseForReading() }
    #expect(throws: CoreError.closed) {
      _ = try core.session(for: "invoices", account: "default")
    }
    await #expect(throws: CoreError.closed) {
      _ = try await core.sync(.invoices, account: "default")
    }
    await #expect(throws: StorageError.self) { try await database.invoiceCount(account: nil) }
    await server.stop()
  }
}
