import Foundation
import Networking
import Sandbox
import SecureStore
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

/// A renewed pair that the store does not take, in the sealed file and after the process.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct SealedPairTests {
  private static let first = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#
  private static let second = #"{"access_token":"a2","refresh_token":"r2","expires_in":1800}"#

  private func file(_ folder: TemporaryDirectory) -> String { folder.file("auth-default.sealed") }

  /// Renews with a store that takes the journal entry and not the pair; then the process ends.
  private func renewAndEnd(_ fixture: WireFixture) async throws {
    fixture.store.failWrites(.locked, after: 1)
    #expect(await fixture.failure() == nil)
    await #expect {
      try await fixture.authenticator.drain()
    } throws: { error in
      if case AuthenticationError.keptSealed(["default"], _) = error { true } else { false }
    }
    await fixture.authenticator.defaultLogin?.releaseUnsaved()
  }

  // Edge case 17
  @Test("a pair that the store does not take outlives its process, and the next one stores it")
  func pickedUp() async throws {
    let fixture = try await WireFixture([[.tokens(Self.first)]]) { $0.replay = .forbidden }
    try await renewAndEnd(fixture)
    let path = file(fixture.folder)
    let content = try #require(FileManager.default.contents(atPath: path))
    // With their quotes: two letters stand in random bytes now and then.
    for token in [#""a1""#, #""r1""#] { #expect(content.range(of: Data(token.utf8)) == nil) }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try await fixture.stored()?.refreshToken == Secret("r0"))

    let next = try fixture.next()
    #expect(try await next.status(of: "default").state == .valid)
    #expect(try await next.credential(for: "default").accessToken == Secret("a1"))
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
    #expect(try await fixture.record()?.pendingExchange == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(fixture.sentTokens == ["r0"])
  }

  // Edge case 17
  @Test("a sealed pair that has expired is stored, and its own token is exchanged")
  func expired() async throws {
    let fixture = try await WireFixture([[.tokens(Self.first)], [.tokens(Self.second)]]) {
      $0.replay = .forbidden
    }
    try await renewAndEnd(fixture)
    fixture.clock.advance(by: .seconds(3_600))
    #expect(try await fixture.next().credential(for: "default").accessToken == Secret("a2"))
    #expect(fixture.sentTokens == ["r0", "r1"])
    #expect(try await fixture.stored()?.refreshToken == Secret("r2"))
    #expect(!FileManager.default.fileExists(atPath: file(fixture.folder)))
  }

  // Edge case 17
  @Test("a sealed pair stays until the store takes it, in whichever process")
  func stillLocked() async throws {
    let fixture = try await WireFixture([[.tokens(Self.first)]]) { $0.replay = .forbidden }
    try await renewAndEnd(fixture)
    let locked = TestStore(backing: fixture.store.backing)
    locked.failWrites(.locked)
    let second = try fixture.next(locked)
    #expect(try await second.credential(for: "default").accessToken == Secret("a1"))
    await second.defaultLogin?.releaseUnsaved()
    #expect(try await fixture.next().credential(for: "default").accessToken == Secret("a1"))
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
    #expect(fixture.sentTokens == ["r0"])
  }

  // Edge case 21
  @Test("a sign-out revokes a sealed pair and removes its file; a sign-in replaces it")
  func signOut() async throws {
    for signsOut in [true, false] {
      let fixture = try await AuthenticationFixture()
      try await fixture.signIn()
      try await fixture.renewWithoutStoring()
      await fixture.authenticator.defaultLogin?.releaseUnsaved()
      let path = file(fixture.folder)
      #expect(FileManager.default.fileExists(atPath: path))
      let peer = try fixture.peer()
      if signsOut {
        #expect(try await peer.signOut("default").isRevoked)
        #expect(try await fixture.record() == nil)
      } else {
        _ = try await peer.signIn(
          "default", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
        _ = try await peer.credential(for: "default")
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(await fixture.server.statistics().refreshReuseDetected == 0)
    }
  }

  // Edge case 17
  @Test("a sealed file that is damaged, of another exchange or older than the record is ignored")
  func ignored() async throws {
    let fixture = try await WireFixture([[.tokens(Self.first)], [.tokens(Self.second)]])
    try await renewAndEnd(fixture)
    let path = file(fixture.folder)
    let sealed = try #require(FileManager.default.contents(atPath: path))
    #expect(try await fixture.next().credential(for: "default").accessToken == Secret("a1"))
    // The pair is stored; a copy of the file comes back, as from a backup.
    for content in [sealed, Data("no box".utf8), Data()] {
      try content.write(to: URL(filePath: path))
      #expect(try await fixture.next().credential(for: "default").accessToken == Secret("a1"))
    }
    fixture.clock.advance(by: .seconds(3_600))
    try sealed.write(to: URL(filePath: path))
    #expect(try await fixture.next().credential(for: "default").accessToken == Secret("a2"))
    #expect(fixture.sentTokens == ["r0", "r1"])
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  // Edge case 17
  @Test("a pair that only the process has is tried again until the store takes it")
  func unsealed() async throws {
    let fixture = try await WireFixture([[.tokens(Self.first)]])
    // A folder in the file's place stands for a disk that takes nothing.
    try FileManager.default.createDirectory(
      atPath: file(fixture.folder), withIntermediateDirectories: false)
    fixture.store.failWrites(.locked, after: 1)
    #expect(await fixture.failure() == nil)
    let (authenticator, hurried) = (fixture.authenticator, SharedOutcome<Void>())
    let drain = Task { try await authenticator.drain(hurried: hurried) { _ in } }
    try await eventually("it waits for the next attempt") {
      fixture.clock.pending.filter { $0 == .seconds(1) }.count > 1
    }
    fixture.store.fail(nil)
    fixture.clock.advance(by: .seconds(1))
    try await drain.value
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
  }

  @Test("a renewal leaves no sealed file, whether it succeeds or is refused")
  func clean() async throws {
    for answer in [
      FaultScript.Step.tokens(Self.first),
      .response("400 Bad Request", body: #"{"error":"invalid_client"}"#), .close,
    ] {
      let fixture = try await WireFixture([[answer]])
      _ = await fixture.failure()
      #expect(!FileManager.default.fileExists(atPath: file(fixture.folder)))
    }
  }

  // Edge case 31
  @Test("an answer that comes after the time limit of a request still renews the login")
  func slowAnswer() async throws {
    let gate = Gate()
    defer { gate.open() }
    let fixture = try await WireFixture([[.pause(until: gate), .tokens(Self.first)]]) {
      $0.replay = .forbidden
    }
    let waiter = fixture.asking()
    try await fixture.server.requests(become: 1)
    let limit = fixture.session.configuration.timeout.request
    try await fixture.clock.sleeper(of: limit)
    fixture.clock.advance(by: limit)
    try await fixture.clock.sleeper(of: fixture.session.configuration.exchangeLimit - limit)
    gate.open()
    #expect(try await waiter.joined.accessToken == Secret("a1"))
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
  }
}
