import Foundation
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Networking

/// The permits that an account's sessions share.
@Suite(.timeLimit(.minutes(10))) struct SharedPermitsTests {
  private let origin: Origin

  init() throws { origin = try #require(URL(string: "http://127.0.0.1:1").flatMap { Origin($0) }) }

  private static func operation() -> Networking.Operation {
    let clock = TimeSource.system
    return Networking.Operation(tag: nil, clock: clock, watch: DeadlineScheduler(clock: clock))
  }

  private static func isEnded(_ operation: Networking.Operation) -> Bool {
    operation.state.withLock { $0.ending != nil }
  }

  /// Starts a task that waits for a permit, and notes its name once it has one.
  private static func waiter(
    _ name: String, _ permits: SharedPermits, isBackground: Bool, _ order: Order
  ) -> Task<Void, any Error> {
    Task.immediate {
      try await permits.take(isBackground: isBackground)
      order.append(name)
    }
  }

  private final class Order: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func append(_ name: String) { names.withLock { $0.append(name) } }
  }

  @Test("sessions in the foreground come first, and each kind in the order of its arrival")
  func order() async throws {
    let (permits, order) = (SharedPermits(limit: 1), Order())
    try await permits.take(isBackground: false)
    var tasks: [Task<Void, any Error>] = []
    for (name, isBackground) in [("b1", true), ("f1", false), ("b2", true), ("f2", false)] {
      tasks.append(Self.waiter(name, permits, isBackground: isBackground, order))
    }
    var isBackground = false
    for (number, next) in ["f1", "f2", "b1", "b2"].enumerated() {
      permits.release(isBackground: isBackground)
      try await eventually("\(next) has the permit") { order.all.count == number + 1 }
      #expect(order.all.last == next)
      isBackground = next.hasPrefix("b")
    }
    for task in tasks { try await task.joined }
  }

  @Test("a session in the background has all permits while it is alone, and else a few")
  func share() async throws {
    for (limit, few) in [(1, 0), (2, 1), (4, 1), (5, 1), (10, 6)] {
      let (permits, order) = (SharedPermits(limit: limit), Order())
      for _ in 1...limit { try await permits.take(isBackground: true) }
      for _ in 1...limit { permits.release(isBackground: true) }
      try await permits.take(isBackground: false)
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<limit {
        tasks.append(Self.waiter("\(number)", permits, isBackground: true, order))
      }
      try await eventually("the background has its share") { order.all.count == few }
      permits.release(isBackground: false)
      for task in tasks { try await task.joined }
      #expect(order.all.count == limit)
    }
  }

  @Test("a stream in the background ends for a session that waits, the newest first")
  func yielding() async throws {
    let (permits, order) = (SharedPermits(limit: 2), Order())
    let streams = [Self.operation(), Self.operation()]
    for stream in streams {
      try await permits.take(isBackground: true)
      permits.began(stream, from: origin)
    }
    let background = Self.waiter("b", permits, isBackground: true, order)
    #expect(!streams.contains(where: Self.isEnded))
    let first = Self.waiter("f", permits, isBackground: false, order)
    #expect(streams.map(Self.isEnded) == [false, true])
    permits.ended(streams[1])
    permits.release(isBackground: true)
    try await first.joined
    #expect(order.all == ["f"])
    // One that has ended by itself gives its permit to nobody in particular.
    permits.ended(streams[0])
    let second = Self.waiter("g", permits, isBackground: false, order)
    #expect(!Self.isEnded(streams[0]))
    permits.release(isBackground: true)
    try await second.joined
    for _ in 1...2 { permits.release(isBackground: false) }
    try await background.joined
  }

  // Edge case 75
  @Test("a stream that begins while another session waits ends at once")
  func late() async throws {
    let (permits, order) = (SharedPermits(limit: 1), Order())
    try await permits.take(isBackground: true)
    let waiting = Self.waiter("f", permits, isBackground: false, order)
    let stream = Self.operation()
    permits.began(stream, from: origin)
    #expect(Self.isEnded(stream))
    permits.ended(stream)
    permits.release(isBackground: true)
    try await waiting.joined
    permits.release(isBackground: false)
    let next = Self.operation()
    try await permits.take(isBackground: true)
    permits.began(next, from: origin)
    #expect(!Self.isEnded(next))
  }

  @Test("a cancelled waiter leaves the queue, and its permit goes to the next")
  func cancelled() async throws {
    let (permits, order) = (SharedPermits(limit: 1), Order())
    try await permits.take(isBackground: false)
    let gone = Self.waiter("gone", permits, isBackground: false, order)
    let next = Self.waiter("next", permits, isBackground: true, order)
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.joined }
    permits.release(isBackground: false)
    try await next.joined
    #expect(order.all == ["next"])
    permits.release(isBackground: true)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await permits.take(isBackground: false)
    }
    await #expect(throws: CancellationError.self) { try await late.joined }
    // No permit was lost.
    try await permits.take(isBackground: true)
  }

  @Test("no permit is lost or given twice, whoever comes, is cancelled and streams")
  func many() async throws {
    let limit = 3
    let (permits, held) = (SharedPermits(limit: limit), Held())
    await withTaskGroup { group in
      for number in 0..<600 {
        group.addTask {
          let task = Task {
            try await Self.hold(permits, held, limit, isBackground: number % 3 != 0)
          }
          if number % 5 == 0 { task.cancel() }
          _ = await task.result
        }
      }
    }
    #expect(held.count.withLock { $0 } == 0)
    for _ in 1...limit { try await permits.take(isBackground: true) }
  }

  private final class Held: Sendable {
    let count = Mutex(0)
  }

  /// Takes a permit, holds it for a moment, and counts how many are held.
  private static func hold(
    _ permits: SharedPermits, _ held: Held, _ limit: Int, isBackground: Bool
  ) async throws {
    try await permits.take(isBackground: isBackground)
    let count = held.count.withLock { count in
      count += 1
      return count
    }
    #expect(count <= limit)
    let stream = operation()
    if isBackground, let origin = URL(string: "http://127.0.0.1:1").flatMap({ Origin($0) }) {
      permits.began(stream, from: origin)
    }
    await Task.yield()
    if isBackground { permits.ended(stream) }
    held.count.withLock { $0 -= 1 }
    permits.release(isBackground: isBackground)
  }
}
