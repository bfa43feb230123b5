import AppCore
import Dispatch
import Foundation
import Synchronization

/// The way from a signal to the end: what is said meanwhile on standard error, and what is given
/// up.
final class OrderlyEnd: Sendable {
  private struct State {
    var core: ApplicationCore?
    var pending: [PendingWork] = []
    /// Whether what is waited for is said as soon as it is known.
    var isTelling = false
    /// Not where standard error is for a program.
    var isQuiet = false
    var count = 0
    var told: String?
  }

  /// An end that comes faster needs no words.
  private static let silence = 0.4
  private let console: Console
  private let state = Mutex(State())

  init(_ console: Console) {
    self.console = console
  }

  /// Takes note of the core that has to be closed.
  func began(_ core: ApplicationCore, _ terminal: Terminal) {
    state.withLock { state in
      state.core = core
      state.isQuiet = terminal.isJSON && !terminal.isUserAtStandardError
    }
  }

  /// Takes note of what closing waits for.
  func waits(for work: PendingWork) {
    let isNews = state.withLock { state in
      // Once everything else is given up, only a renewal is waited for.
      guard state.count < 2 || work.isRenewal, !state.pending.contains(work) else { return false }
      if let last = state.pending.last, !last.isAlike(work) { state.pending = [] }
      state.pending.append(work)
      return true
    }
    if isNews { tell() }
  }

  /// Does what a signal asks for; the work itself was cancelled by the first.
  func asked(_ count: Int, exitCode: Int32) {
    state.withLock { $0.count = count }
    guard count > 1 else {
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.silence) { [self] in
        state.withLock { $0.isTelling = true }
        tell()
      }
      return
    }
    let core = state.withLock { state in
      state.isTelling = true
      return state.core
    }
    core?.hurry()
    tell()
    // The command itself may be what does not end: it is not waited for any more.
    Task { [console] in
      try? await core?.close { [self] in waits(for: $0) }
      await console.flush()
      _exit(exitCode)
    }
  }

  private func tell() {
    let text = state.withLock { state -> String? in
      guard state.isTelling, !state.isQuiet else { return nil }
      let text = Self.text(state.pending, isHurried: state.count > 1)
      guard text != state.told else { return nil }
      state.told = text
      return text
    }
    if let text { console.post(text) }
  }

  static func text(_ pending: [PendingWork], isHurried: Bool) -> String {
    let work =
      pending.isEmpty
      ? "the command to stop"
      : pending.map(\.text).joined(separator: ", ")
    guard isHurried else {
      return "appcore: interrupted; waiting for \(work). "
        + "Interrupt again to wait for nothing but a login that is being renewed."
    }
    return pending.contains(where: \.isRenewal)
      ? "appcore: waiting only for \(work): without it the login is lost. "
        + "Interrupt once more to end at once."
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
