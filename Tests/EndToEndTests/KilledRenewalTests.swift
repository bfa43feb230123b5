import Foundation
import Sandbox
import TestSupport
import Testing

/// A renewal whose process is killed at each of its steps.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .cleansUp,
  .enabled(if: FakeKeyring.isAvailable, "python3-dbus is not installed"))
struct KilledRenewalTests {
  /// The step of a renewal at which a process is killed.
  enum Step: String, CaseIterable, Sendable {
    case readingUnderLock, writingJournal, sending, answerPending, saving, saved

    /// The pair is sealed before it is saved.
    var isLostWithoutGrace: Bool { self == .answerPending }
  }

  // Edge cases 18 and 24
  @Test(
    "a renewal killed at any step requires a sign-in only if the answer was lost without grace",
    arguments: Step.allCases, [true, false])
  func killed(step: Step, hasGrace: Bool) async throws {
    let keyring = try await FakeKeyring.start()
    let fixture = try await ProgramFixture(keyring: keyring) {
      $0.tokenLifetime = .seconds(1)
      $0.reuseGrace = hasGrace ? .seconds(1_800) : .zero
    }.expired()
    if step == .answerPending || step == .saving { fixture.server.holdTokenAnswers() }
    switch step {
    case .readingUnderLock: try await keyring.command("hang GetSecret")
    case .writingJournal: try await keyring.command("hang SetSecret")
    case .sending:
      fixture.server.armFault(
        Fault(path: "/connect/token", kind: .reset, delayMilliseconds: 3_600_000))
    default: break
    }
    let calls = try await calls(keyring)
    let program = try fixture.start(["sync", "invoices"], isPatient: true)
    switch step {
    case .readingUnderLock:
      try await eventually("it reads") {
        try await self.calls(keyring)["GetSecret", default: 0] > calls["GetSecret", default: 0]
      }
    case .writingJournal:
      try await eventually("it writes") {
        try await self.calls(keyring)["SetSecret", default: 0] > calls["SetSecret", default: 0]
      }
    case .sending:
      try await eventually("it has sent") { await fixture.server.statistics().faultsApplied > 0 }
    case .answerPending: try await fixture.awaitExchange()
    case .saving:
      try await fixture.awaitExchange()
      try await keyring.command("hang SetSecret")
      let before = try await self.calls(keyring)["SetSecret", default: 0]
      fixture.server.answerDelayedRequests()
      try await eventually("it saves") {
        try await self.calls(keyring)["SetSecret", default: 0] > before
      }
    case .saved:
      let path = fixture.keyring.home.file("state") + "/appcore/auth-default.notice"
      let before = try? String(contentsOfFile: path, encoding: .utf8)
      try await eventually("it has saved") {
        (try? String(contentsOfFile: path, encoding: .utf8)) != before
      }
    }
    program.send(SIGKILL)
    _ = await program.ending()
    fixture.server.answerDelayedRequests()
    try await keyring.command("normal")
    let again = try await fixture.run("sync", "invoices", "--json")
    if step.isLostWithoutGrace, !hasGrace {
      #expect(again.status == 77 && again.errors.contains("was interrupted"), "\(again.errors)")
    } else {
      #expect(again.status == 0, "\(step): \(again.errors)")
      #expect(await fixture.server.statistics().refreshReuseDetected == 0)
    }
  }

  private func calls(_ keyring: FakeKeyring) async throws -> [String: Int] {
    struct Dump: Decodable { let calls: [String: Int] }
    let text = try await keyring.command("dump").split(separator: "\n").first ?? ""
    return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).calls
  }
}
