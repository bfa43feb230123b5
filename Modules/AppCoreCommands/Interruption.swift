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

/// A flag that a signal raises to ask the program to end, and that `poll(2)` can wait for.
///
/// Code that waits for a reader or a writer also waits for this flag, so that a stopped terminal or
/// a full pipe cannot keep the program from ending.
final class InterruptionFlag: Sendable {
  static let shared = InterruptionFlag()

  /// The descriptor that becomes readable when the flag is raised, and stays so; -1 if the system
  /// provided none.
  let descriptor: CInt
  private let source: CInt
  private let raised = Atomic(false)

  init() {
    var ends: [CInt] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, source) = (ends[0], ends[1])
  }

  deinit { for end in [descriptor, source] where end >= 0 { close(end) } }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  func raise() {
    guard !raised.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(source, &byte, 1)
  }

  /// Waits until a descriptor is ready or the flag is raised; returns `true` if the descriptor is
  /// ready.
  ///
  /// It blocks the thread.
  ///
  /// - Parameters:
  ///   - patience: the longest wait in milliseconds once the flag is raised.
  ///   - limit: the longest wait in milliseconds before that; -1 is no limit.
  func wait(
    for descriptor: CInt, _ events: Int32, patience: CInt = 0, within limit: CInt = -1
  ) -> Bool {
    while true {
      let isRaised = isRaised
      var polled = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: isRaised ? -1 : self.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, isRaised ? patience : limit)
      if count < 0 {
        guard errno == EINTR else { return true }
        continue
      }
      if polled[0].revents != 0 { return true }
      if isRaised || count == 0 { return false }
    }
  }
}
