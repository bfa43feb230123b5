import Foundation
import InMemoryLogging
import Logging
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Interrupted renewals, which the journal entry in the record reveals.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct JournalTests {
  @Test("neither a successful nor a refused renewal leaves a journal entry")
  func clean() async throws {
    let fixture = try await AuthenticationFixture().expired()
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_client"}"#))
    #expect(await fixture.failure() != nil)
    #expect(try await fixture.record()?.pendingExchange == nil)
    #expect(await fixture.failure() == nil)
    #expect(try await fixture.record()?.pendingExchange == nil)
  }

  // Edge case 17
  @Test("a renewal finds a read-only store before it spends the token")
  func unwritableStore() async throws {
    let fixture = try await AuthenticationFixture().expired()
    fixture.store.failWrites(.locked)
    guard case AuthenticationError.secretStoreUnavailable(_, .locked)? = await fixture.failure()
    else {
      Issue.record("the store was not proved writable")
      return
    }
    #expect(await fixture.refreshes() == 0)
    fixture.store.fail(nil)
    #expect(await fixture.failure() == nil)
  }

  @Test("a journal entry that cannot be corrected is a warning, without the token")
  func unstoredOutcome() async throws {
    let handler = InMemoryLogHandler()
    let fixture = try await AuthenticationFixture(logger: Logger(label: "test") { _ in handler })
      .expired()
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_client"}"#))
    // The journal entry is stored, and what the answer proves is not.
    fixture.store.failWrites(.locked, after: 1)
    #expect(await fixture.failure() != nil)
    let lost = handler.entries.filter { "\($0.message)".hasPrefix("cannot store the outcome") }
    #expect(
      lost.map(\.metadata) == [["account": "default", "error": "the keyring is locked"]])
    #expect(try await fixture.record()?.pendingExchange != nil)
  }

  // Edge case 19
  @Test("a renewal sends the token again after a lost answer within the server's grace")
  func lostInsideGrace() async throws {
    let fixture = try await AuthenticationFixture { sandbox in
      sandbox.reuseGrace = .seconds(1_800)
    } account: { account in
      account.replay = .accepted(for: .seconds(1_800))
    }.expired()
    fixture.server.armFault(Fault(path: "/connect/token", kind: .commitThenDrop))
    #expect(temporaryCause(await fixture.failure()) is SessionError)
    let pendingExchange = try #require(try await fixture.record()?.pendingExchange)
    #expect(pendingExchange.process == .current)
    fixture.clock.advance(by: fixture.session.configuration.exchangeLimit + .seconds(1))
    #expect(await fixture.failure() == nil)
    let statistics = await fixture.server.statistics()
    #expect(statistics.refreshReuseDetected == 0)
    #expect(statistics.tokenRequests["refresh_token"] == 2)
  }

  // Edge case 19
  @Test("a lost answer outside any grace ends the login as an interrupted renewal")
  func lostOutsideGrace() async throws {
    let fixture = try await AuthenticationFixture().expired()
    fixture.server.armFault(Fault(path: "/connect/token", kind: .commitThenDrop))
    #expect(temporaryCause(await fixture.failure()) is SessionError)
    fixture.clock.advance(by: fixture.session.configuration.exchangeLimit + .seconds(1))
    #expect(signInReason(await fixture.failure()) == .interruptedRenewal)
    let status = try await fixture.authenticator.status(of: "default")
    #expect(status.state == .rejected)
  }

  @Test("a replay waits until the lost request can no longer be on its way")
  func settles() async throws {
    let fixture = try await AuthenticationFixture().expired()
    try await fixture.interruptRenewal()
    let limit = fixture.session.configuration.exchangeLimit
    let waiter = fixture.asking()
    try await fixture.clock.awaitSleeper(of: limit - .seconds(1))
    #expect(await fixture.refreshes() == 0)
    fixture.clock.advance(by: limit)
    _ = try await waiter.joined
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 18
  @Test("a token whose exchange never reached the server is exchanged later")
  func neverSent() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    try await fixture.interruptRenewal()
    fixture.clock.advance(by: .seconds(86_400))
    #expect(await fixture.failure() == nil)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
  }

  @Test("an early renewal is postponed after an unfinished one outside a grace")
  func nothingToGain() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    try await fixture.interruptRenewal()
    fixture.clock.advance(by: .seconds(1_700))
    await fixture.authenticator.renewEarly("default")
    #expect(await fixture.refreshes() == 0)
    #expect(await fixture.failure() == nil)
  }

  @Test("an interrupted renewal in the future, by the clock, is not within the server's grace")
  func clockSetBack() async throws {
    let fixture = try await AuthenticationFixture { _ in
    } account: {
      $0.replay = .accepted(for: .seconds(1_800))
    }.signedIn()
    fixture.clock.advance(by: .seconds(1_700))
    try await fixture.interruptRenewal(after: 600)
    // No request is on its way, so a replay would be sent immediately.
    try await fixture.replace { $0.pendingExchange?.isAnswered = true }
    await fixture.authenticator.renewEarly("default")
    #expect(await fixture.refreshes() == 0)
    #expect(await fixture.failure() == nil)
  }

  @Test("a renewal sends no spent token to a server that forbids replays")
  func forbidden() async throws {
    let fixture = try await AuthenticationFixture { _ in
    } account: {
      $0.replay = .forbidden
    }.expired()
    fixture.server.armFault(Fault(path: "/connect/token", kind: .commitThenDrop))
    _ = await fixture.failure()
    #expect(signInReason(await fixture.failure()) == .interruptedRenewal)
    #expect(await fixture.refreshes() == 1)
  }
}
