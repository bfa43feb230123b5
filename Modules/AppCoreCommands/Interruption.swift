import Dispatch
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a request to end in order.
///
/// The first one cancels, what is under way is brought to a safe end, and the exit code tells which
/// signal it was. The second gives up all but a renewal under way, the third everything.
final class Interruption: Sendable {
  /// Whether a hang-up ends this program: not where it was ignored at the start, as under nohup.
  static let handlesHangUp: Bool = {
    var current = sigaction()
    guard sigaction(SIGHUP, nil, &current) == 0 else { return false }
    return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }()

  private struct State {
    var signal: Int32?
    var requests = InterruptionCount()
    var action: (@Sendable (Int) -> Void)?
  }

  private let state = Mutex(State())
  private let sources = Mutex<[any DispatchSourceSignal]>([])

  init() {
    // Dispatch takes the signals over by a handler of its own. To ignore them before would lose
    // those that come meanwhile.
    for number in [SIGINT, SIGTERM] + (Self.handlesHangUp ? [SIGHUP] : []) {
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [weak self] in self?.receive(number) }
        source.activate()
        sources.append(source)
      }
    }
  }

  /// Calls `action` with the count of each of the first two signals, and immediately for a signal
  /// that came before this call.
  func onSignal(_ action: @escaping @Sendable (_ count: Int) -> Void) {
    let count = state.withLock { state in
      state.action = action
      return state.requests.count
    }
    for number in 0..<count { action(number + 1) }
  }

  /// 129, 130 or 143 where a signal has come.
  var exitCode: Int32? {
    state.withLock { $0.signal.map { 128 + $0 } }
  }

  private func receive(_ number: Int32) {
    let (count, first, action) = state.withLock { state in
      if state.signal == nil { state.signal = number }
      let counts = state.requests.add(number, at: .now)
      return (counts ? state.requests.count : 0, state.signal ?? number, state.action)
    }
    guard count > 0 else { return }
    InterruptionFlag.shared.raise()
    // Who asks a third time does not want to wait for anything.
    if count > 2 { _exit(128 + first) }
    action?(count)
  }
}

/// How often the program was asked to end.
struct InterruptionCount {
  private(set) var count = 0
  private var lastAt: ContinuousClock.Instant?
  private var hasHungUp = false

  /// Counts a signal, or answers `false` for one that says what was said already: a terminal that
  /// goes away sends SIGHUP several times, by the kernel and by the shell; `timeout` sends its
  /// signal to the program and then to the group.
  mutating func add(_ signal: Int32, at now: ContinuousClock.Instant) -> Bool {
    defer { lastAt = now }
    if signal == SIGHUP {
      guard !hasHungUp else { return false }
      hasHungUp = true
    }
    if count == 1, let lastAt, lastAt.duration(to: now) < .milliseconds(100) { return false }
    count += 1
    return true
  }
}
