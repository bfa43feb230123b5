import CAppCore
import CEventFD
import Glibc
import Presentation
import Synchronization
import SystemSupport

/// An event of a request, before the caller fetches it.
struct CoreEvent: Sendable {
  /// A type of `appcore.h`, such as `APPCORE_EVENT_DONE`.
  let type: Int
  let request: UInt64
  var isChangeOfRecords = false
  var json: String?
  var failure: Failure?

  var isLast: Bool { type >= APPCORE_EVENT_DONE }

  /// The largest number of events of its request and type, or `nil` if there are few anyway.
  ///
  /// Of progress and of changed records only the newest matters. A change of a login does not stand
  /// for the one before it.
  fileprivate var mostOfItsKind: Int? {
    switch type {
    case APPCORE_EVENT_PROGRESS, APPCORE_EVENT_TRANSFER, APPCORE_EVENT_DOCUMENT_PROGRESS: 1
    case APPCORE_EVENT_CHANGED: isChangeOfRecords ? 1 : 256
    case APPCORE_EVENT_LOG: 1_024
    default: nil
    }
  }

  fileprivate func isOfKind(_ other: CoreEvent) -> Bool {
    request == other.request && type == other.type && isChangeOfRecords == other.isChangeOfRecords
  }
}

/// The events that the caller has not fetched, with a descriptor that is readable while there are
/// any.
///
/// It is bounded: of progress, changes and log lines it keeps the newest, the other events of a
/// request are few, and ``OpenCore`` limits the requests.
final class EventQueue: Sendable {
  private struct State {
    var events: [CoreEvent] = []
    /// The number of elements at the beginning that were fetched.
    var fetched = 0
    var isClosed = false
    var isReleased = false

    var isEmpty: Bool { fetched == events.count }
  }

  /// An eventfd(2), which belongs to the queue.
  let descriptor: CInt
  private let state = Mutex(State())

  init() throws {
    descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else {
      throw Misuse.noDescriptor(reason: String(cString: strerror(errno)))
    }
  }

  deinit { release() }

  func add(_ event: CoreEvent) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if let most = event.mostOfItsKind {
        let others = state.events.indices.dropFirst(state.fetched)
          .filter { event.isOfKind(state.events[$0]) }
        if let oldest = others.first, others.count >= most {
          // The place of the only one stays; of several, the new one comes last.
          if most == 1 {
            state.events[oldest] = event
            return
          }
          state.events.remove(at: oldest)
        }
      }
      if state.isEmpty { eventfd_write(descriptor, 1) }
      state.events.append(event)
    }
  }

  /// Fetches the next event; blocks the thread until there is one, or the time is over.
  ///
  /// - Parameter timeout: the milliseconds to wait; -1 waits without end.
  /// - Throws: ``Misuse/badHandle`` if the queue is closed meanwhile.
  func next(timeout: CInt) throws -> CoreEvent? {
    let end = ContinuousClock.now + .milliseconds(Int(timeout))
    while true {
      if let event = try pop() { return event }
      var rest = timeout
      if timeout > 0 {
        // Rounded up, so that the last round does not spin.
        let milliseconds = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        rest = CInt(clamping: max(0, milliseconds), rounding: .up)
      }
      guard rest != 0 else { return nil }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&waiting, 1, rest)
    }
  }

  private func pop() throws -> CoreEvent? {
    try state.withLock { state in
      guard !state.isClosed else { throw Misuse.badHandle }
      guard !state.isEmpty else { return nil }
      let event = state.events[state.fetched]
      state.fetched += 1
      if state.isEmpty {
        state.events.removeAll(keepingCapacity: true)
        state.fetched = 0
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
      } else if state.fetched > 1_024 {
        state.events.removeFirst(state.fetched)
        state.fetched = 0
      }
      return event
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.events = []
      state.fetched = 0
      eventfd_write(descriptor, 1)
    }
  }

  /// Closes the descriptor of a closed queue, once no thread waits any more.
  func release() {
    let isFirst = state.withLock { state in
      defer { (state.isClosed, state.isReleased) = (true, true) }
      return !state.isReleased
    }
    if isFirst { Glibc.close(descriptor) }
  }
}
