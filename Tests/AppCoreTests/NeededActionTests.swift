import Foundation
import Models
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The notifications to the user, and their frequency.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct NeededActionTests {
  @Test("accounts that share a login need one sign-in, of the account that has it")
  func sharedLogin() async throws {
    let scene = try SharedLoginScene()
    let core = try scene.core(
      "firm: { provider: acme, tenantID: a }", "acme: { login: firm, tenantID: b }",
      "shop: { provider: acme }")
    #expect(try await core.neededActions().map(\.account) == ["firm", "shop"])
    #expect(try await core.neededActions(accounts: ["acme"]).map(\.account) == ["firm"])
    try await scene.signIn("firm", to: core)
    #expect(try await core.neededActions().map(\.account) == ["shop"])
  }

  @Test("a failure is reported only if the user has to solve it", arguments: [403, 503])
  func failures(status: Int) async throws {
    let scene = try SharedLoginScene()
    let core = try scene.core("shop: { provider: acme }")
    try await scene.signIn("shop", to: core)
    #expect(try await core.neededActions().isEmpty)
    scene.server.answerNext(
      .body("", status: "\(status) No"))
    _ = try? await core.sync(.invoices, account: "shop").run()
    let needed = try await core.neededActions()
    #expect(needed.count == (status == 403 ? 1 : 0))
    if let action = needed.first?.action {
      guard case .solve(.invoices, let cause) = action else {
        Issue.record("\(action)")
        return
      }
      #expect(!cause.isEmpty)
    }
  }

  @Test("the same notification is shown once a day, another one immediately")
  func pause() throws {
    let folder = try TemporaryDirectory()
    let clock = ManualClock()
    let pause = NotificationPause(
      directories: Directories(below: folder.path), time: clock.source)
    #expect(try pause.permits("one"))
    try pause.end()
    try pause.begin(with: "one")
    // The file has the time of the machine, which the test's clock follows within a minute.
    clock.advance(by: .seconds(60))
    #expect(try !pause.permits("one") && pause.permits("two"))
    clock.advance(by: .seconds(23 * 60 * 60))
    #expect(try !pause.permits("one"))
    clock.advance(by: .seconds(60 * 60))
    #expect(try pause.permits("one"))
    clock.setWallClock(by: -2 * 24 * 60 * 60)
    #expect(try pause.permits("one"))
    #expect(FileManager.default.fileExists(atPath: folder.file("state/notified")))
  }

  @Test("once nothing is needed, the same need is shown again, by any front end")
  func end() throws {
    let folder = try TemporaryDirectory()
    let directories = Directories(below: folder.path)
    let clock = ManualClock()
    clock.advance(by: .seconds(60))
    let pause = NotificationPause(directories: directories, time: clock.source)
    try pause.begin(with: "one")
    let other = NotificationPause(directories: directories, time: clock.source)
    #expect(try !other.permits("one"))
    try other.end()
    #expect(try pause.permits("one"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("state/notified")))
  }
}
