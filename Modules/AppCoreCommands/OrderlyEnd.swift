import AppCore
import Dispatch
import Foundation
import Presentation
import Synchronization

/// The orderly end of the program after a signal.
///
/// It reports on standard error what the program waits for, and decides which work to abandon.
final class OrderlyEnd: Sendable {
  private struct State {
    var core: ApplicationCore?
    var pending: [PendingWork] = []
    /// True if new pending work is reported immediately.
    var isReporting = false
    /// True if a program reads standard error, which then gets no messages.
    var isQuiet = false
    var count = 0
    var exitCode: Int32?
    var reported: String?
    var hasReportedFailures = false
  }

  /// Seconds before the first message; a faster end needs none.
  private static let silence = 0.4
  private let terminal: Terminal
  private let state = Mutex(State())

  init(_ terminal: Terminal) {
    self.terminal = terminal
  }

  /// The exit code after a signal; `nil` if none has arrived.
  var exitCode: Int32? { state.withLock { $0.exitCode } }

  /// Records the core that a signal has to close.
  func began(_ core: ApplicationCore, _ terminal: Terminal) {
    state.withLock { state in
      state.core = core
      state.isQuiet =
        terminal.isErrorJSON || terminal.isJSON && !terminal.isUserAtStandardError
    }
  }

  /// Records work that closing waits for, and reports it.
  func waits(for work: PendingWork) {
    let isNews = state.withLock { state in
      // After the second signal, closing waits only for a renewal.
      guard state.count < 2 || work.isRenewal, !state.pending.contains(work) else { return false }
      if let last = state.pending.last, !last.isAlike(work) { state.pending = [] }
      state.pending.append(work)
      return true
    }
    if isNews { report() }
  }

  /// Responds to a signal; the caller has already cancelled the work.
  func asked(_ count: Int, exitCode: Int32) {
    state.withLock { ($0.count, $0.exitCode) = (count, exitCode) }
    guard count > 1 else {
      Interruption.queue.asyncAfter(deadline: .now() + Self.silence) { [self] in
        state.withLock { $0.isReporting = true }
        report()
      }
      return
    }
    let core = state.withLock { state in
      state.isReporting = true
      return state.core
    }
    core?.hurry()
    report()
    // Do not wait for the command any longer: it may be what does not end.
    Task { [terminal] in
      do {
        try await core?.close { [self] in waits(for: $0) }
      } catch {
        // The login that could not be stored ends with this process, so the user has to know.
        report(
          Failures(error, in: core?.configuration), on: terminal,
          asJSON: state.withLock { $0.isQuiet })
      }
      await terminal.flush()
      _exit(exitCode)
    }
  }

  /// Reports failures on standard error, after a signal only the first time.
  ///
  /// The command and the second signal may both have failures to report, each with the login that
  /// is lost. The lock is held while they are queued: whoever comes second may end the process.
  func report(_ failures: Failures, on terminal: Terminal, asJSON: Bool) {
    state.withLock { state in
      if state.exitCode != nil, state.hasReportedFailures { return }
      state.hasReportedFailures = state.exitCode != nil
      terminal.report(failures, asJSON: asJSON, interruption: state.exitCode)
    }
  }

  private func report() {
    let text = state.withLock { state -> String? in
      guard state.isReporting, !state.isQuiet else { return nil }
      let text = Self.text(state.pending, isHurried: state.count > 1)
      guard text != state.reported else { return nil }
      state.reported = text
      return text
    }
    if let text { terminal.post(text) }
  }

  static func text(_ pending: [PendingWork], isHurried: Bool) -> String {
    let work =
      pending.isEmpty
      ? "the command to stop"
      : pending.map(\.text).joined(separator: ", ")
    guard isHurried else {
      return "appcore: interrupted; waiting for \(work). "
        + "Interrupt again to wait only for a login that is being renewed."
    }
    return pending.contains(where: \.isRenewal)
      ? "appcore: waiting only for \(work): without it the login is lost. "
        + "Interrupt once more to quit immediately."
      : "appcore: no longer waiting for \(work)."
  }
}

extension PendingWork {
  fileprivate var text: String {
    switch self {
    case .requests(let session): "the requests of session '\(session)'"
    case .renewal(let account): "the renewed login of account '\(account)'"
    case .unsavedLogin(let account): "the login of account '\(account)' to be stored"
    case .database: "the database to be closed"
    }
  }

  fileprivate var isRenewal: Bool { if case .renewal = self { true } else { false } }

  fileprivate func isAlike(_ other: PendingWork) -> Bool {
    switch (self, other) {
    case (.requests, .requests), (.renewal, .renewal), (.unsavedLogin, .unsavedLogin),
      (.database, .database):
      true
    default: false
    }
  }
}
