import Foundation
import Networking
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import Authentication

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RenewalPriorityTests {
  @Test("a renewal has a high priority, even if a background task starts it")
  func priority() async throws {
    let found = Mutex<TaskPriority?>(nil)
    let fixture = try await AuthenticationFixture { _ in
    } account: { account in
      account.refresh = { old in
        found.withLock { $0 = Task.currentPriority }
        return TokenSet(
          accessToken: Secret("renewed"), expiresAt: old.expiresAt?.addingTimeInterval(3_600))
      }
    }
    _ = try await fixture.authenticator.setTokens(
      TokenSet(accessToken: Secret("first"), expiresAt: fixture.clock.wall.addingTimeInterval(60)),
      for: "default")
    fixture.clock.advance(by: .seconds(60))
    let authenticator = fixture.authenticator
    // Not awaited, since that would raise its priority.
    Task(priority: .background) { _ = try await authenticator.credential(for: "default") }
    try await eventually("the login is renewed") { found.withLock { $0 } != nil }
    #expect(found.withLock { $0 } == .userInitiated)
  }
}
