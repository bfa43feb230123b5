import CAppCore
import Glibc
import Testing

@testable import AppCoreC

/// The queue of events: bounded, in order, and readable by its descriptor.
@Suite(.timeLimit(.minutes(1))) struct EventQueueTests {
  private func isReadable(_ queue: EventQueue) -> Bool {
    var waiting = pollfd(fd: queue.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) == 1
  }

  private func all(of queue: EventQueue) throws -> [CoreEvent] {
    var events: [CoreEvent] = []
    while let event = try queue.next(timeout: 0) { events.append(event) }
    return events
  }

  @Test("a caller who fetches nothing finds the newest progress of each request")
  func coalescing() throws {
    let queue = try EventQueue()
    for number in 1...10_000 {
      queue.add(
        CoreEvent(
          type: APPCORE_EVENT_PROGRESS, request: UInt64(number % 3), json: "\(number)"))
    }
    let events = try all(of: queue)
    #expect(events.map(\.request) == [1, 2, 0])
    #expect(events.map(\.json) == ["10000", "9998", "9999"])
  }

  @Test("a change of records replaces the one before it, and a change of a login does not")
  func changes() throws {
    let queue = try EventQueue()
    for text in ["in", "", "out", "", "in"] {
      queue.add(
        CoreEvent(
          type: APPCORE_EVENT_CHANGED, request: 1, isChangeOfRecords: text.isEmpty, json: text))
    }
    #expect(try all(of: queue).map(\.json) == ["in", "", "out", "in"])
  }

  @Test("of the changes of logins and of the log, a caller who fetches nothing finds the newest")
  func bounds() throws {
    for (type, most) in [(APPCORE_EVENT_CHANGED, 256), (APPCORE_EVENT_LOG, 1_024)] {
      let queue = try EventQueue()
      for number in 1...2_000 {
        queue.add(CoreEvent(type: type, request: 0, json: "\(number)"))
      }
      #expect(try all(of: queue).map(\.json) == (2_001 - most...2_000).map { "\($0)" })
    }
  }

  @Test("reports and last events are all kept, in their order")
  func order() throws {
    let queue = try EventQueue()
    for request in 1...3_000 as ClosedRange<UInt64> {
      queue.add(CoreEvent(type: APPCORE_EVENT_REPORT, request: request))
      queue.add(CoreEvent(type: APPCORE_EVENT_DONE, request: request))
    }
    for request in 1...3_000 as ClosedRange<UInt64> {
      let (report, done) = (try queue.next(timeout: 0), try queue.next(timeout: 0))
      #expect(
        report?.type == APPCORE_EVENT_REPORT && report?.request == request
          && report?.isLast == false)
      #expect(done?.type == APPCORE_EVENT_DONE && done?.request == request && done?.isLast == true)
    }
    #expect(try queue.next(timeout: 0) == nil)
  }

  @Test("the descriptor is readable exactly while there are events")
  func descriptor() throws {
    let queue = try EventQueue()
    #expect(!isReadable(queue))
    queue.add(CoreEvent(type: APPCORE_EVENT_PROGRESS, request: 1))
    queue.add(CoreEvent(type: APPCORE_EVENT_DONE, request: 1))
    #expect(isReadable(queue))
    _ = try queue.next(timeout: 0)
    #expect(isReadable(queue))
    _ = try queue.next(timeout: 0)
    #expect(!isReadable(queue))
  }

  @Test("a closed queue wakes its waiters and takes no event")
  func closing() async throws {
    let queue = try EventQueue()
    queue.add(CoreEvent(type: APPCORE_EVENT_DONE, request: 1))
    queue.close()
    queue.add(CoreEvent(type: APPCORE_EVENT_DONE, request: 2))
    #expect(isReadable(queue))
    #expect(throws: Misuse.self) { try queue.next(timeout: -1) }
    queue.release()
    queue.release()
  }
}
