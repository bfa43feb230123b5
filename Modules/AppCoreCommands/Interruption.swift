import Dispatch
import Glibc
import Synchronization

/// The handler of SIGINT, SIGTERM and SIGHUP, which ask the program to end in order.
///
/// The first signal cancels the work, which then ends safely; its number decides the exit code. The
/// second signal abandons everything but a renewal under way. The third ends the process
/// immediately.
final class Interruption: Sendable {
  /// True if SIGHUP ends this program; false if it was ignored at the start, as under nohup.
  static let handlesHangUp: Bool = {
    var current = sigaction()
    guard sigaction(SIGHUP, nil, &current) == 0 else { return false }
    return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }()

  /// The queue that handles signals, and says what the program waits for after one.
  ///
  /// A serial queue has a thread of its own, even if the threads of the cooperative pool, which are
  /// those of the global queues, are all busy: the third signal always ends the program.
  static let queue = DispatchQueue(label: "appcore.interruption")

  private struct State {
    var signal: Int32?
    var requests = InterruptionCount()
    var action: (@Sendable (Int) -> Void)?
  }

  private let state = Mutex(State())
  private let sources = Mutex<[any DispatchSourceSignal]>([])

  init() {
    // Dispatch installs its own handlers. Ignoring the signals first would lose those that arrive
    // in between.
    for number in [SIGINT, SIGTERM] + (Self.handlesHangUp ? [SIGHUP] : []) {
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
        source.setEventHandler { [weak self] in self?.receive(number) }
        source.activate()
        sources.append(source)
      }
    }
  }

  /// Calls `action` with the count of each of the first two signals, and immediately for a signal
  /// that arrived before this call.
  func onSignal(_ action: @escaping @Sendable (_ count: Int) -> Void) {
    let count = state.withLock { state in
      state.action = action
      return state.requests.count
    }
    for number in 0..<count { action(number + 1) }
  }

  /// The exit code after a signal: 129, 130 or 143; `nil` if none has arrived.
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
    // The third signal means that the user does not want to wait for anything.
    if count > 2 { _exit(128 + first) }
    action?(count)
  }
}

/// The count of requests to end the program.
struct InterruptionCount {
  private(set) var count = 0
  private var last: (signal: Int32, at: ContinuousClock.Instant)?
  private var countedAt: ContinuousClock.Instant?
  private var hasHungUp = false

  /// Counts a signal; returns `false` for a repetition, which does not count.
  ///
  /// When a terminal closes, the kernel and the shell each send SIGHUP. `timeout` sends its signal
  /// to the program and then to the process group. A key that is held down ends nothing:
  /// it counts twice at most.
  mutating func add(_ signal: Int32, at now: ContinuousClock.Instant) -> Bool {
    defer { last = (signal, now) }
    if signal == SIGHUP {
      guard !hasHungUp else { return false }
      hasHungUp = true
    }
    if let last, let countedAt, count == 1 || last.signal == signal,
      last.at.duration(to: now) < .milliseconds(100),
      count > 1 || countedAt.duration(to: now) < .seconds(1)
    {
      return false
    }
    count += 1
    countedAt = now
    return true
  }
}
