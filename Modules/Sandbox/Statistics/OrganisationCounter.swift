import HTTPTypes
import Hummingbird
import Synchronization
import SystemSupport

/// Counts the requests for each organisation, and refuses those above the limits.
final class OrganisationCounter: Sendable {
  /// A limit that a request would exceed, as Xero's `X-Rate-Limit-Problem` names it.
  struct Refusal: Error {
    let problem: String
    let retryAfter: Int
  }

  private struct State {
    var counts: [String: SandboxStatistics.Organisation] = [:]
    var underWay: [String: Int] = [:]
    var minutes: [String: SlidingWindow] = [:]
    var days: [String: SlidingWindow] = [:]
    var minute = SlidingWindow(.seconds(60))
    var mostPerMinute = 0
  }

  private let limits: SandboxLimits?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  init(
    limits: SandboxLimits?, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limits = limits
    self.now = now
  }

  var counts: [String: SandboxStatistics.Organisation] { state.withLock { $0.counts } }

  var mostPerMinute: Int { state.withLock { $0.mostPerMinute } }

  /// Counts a request that begins.
  ///
  /// - Returns: the rest of the limits, by the name of the header that states it.
  /// - Throws: ``Refusal``; the request then does not count as one under way, nor for the day.
  @discardableResult
  func begin(_ organisation: String) throws(Refusal) -> [String: String] {
    let now = now()
    let (refusal, rest) = state.withLock { state -> (Refusal?, [String: String]) in
      var minute = state.minutes[organisation] ?? SlidingWindow(.seconds(60))
      let today =
        limits == nil
        ? 0 : state.days[organisation, default: SlidingWindow(.seconds(86_400))].count(now)
      let (own, all) = (minute.add(now), state.minute.add(now))
      state.minutes[organisation] = minute
      state.mostPerMinute = max(state.mostPerMinute, all)
      let concurrent = (state.underWay[organisation] ?? 0) + 1
      var count = state.counts[organisation] ?? SandboxStatistics.Organisation()
      count.requests += 1
      count.mostPerMinute = max(count.mostPerMinute, own)
      count.mostConcurrent = max(count.mostConcurrent, concurrent)
      let refusal = limits.flatMap { limits -> Refusal? in
        if concurrent > limits.concurrent { return Refusal(problem: "concurrent", retryAfter: 1) }
        if own > limits.perMinute {
          return Refusal(problem: "minute", retryAfter: minute.secondsUntilRoom(now))
        }
        if today >= limits.perDay {
          let wait = state.days[organisation]?.secondsUntilRoom(now)
          return Refusal(problem: "day", retryAfter: wait ?? 1)
        }
        guard all > limits.perMinuteOfAll else { return nil }
        return Refusal(problem: "appminute", retryAfter: state.minute.secondsUntilRoom(now))
      }
      if refusal == nil {
        state.underWay[organisation] = concurrent
        if limits != nil { state.days[organisation]?.add(now) }
      } else {
        count.refused += 1
      }
      state.counts[organisation] = count
      let rest = limits.map { limits in
        [
          "X-DayLimit-Remaining": "\(max(0, limits.perDay - today - 1))",
          "X-MinLimit-Remaining": "\(max(0, limits.perMinute - own))",
          "X-AppMinLimit-Remaining": "\(max(0, limits.perMinuteOfAll - all))",
        ]
      }
      return (refusal, rest ?? [:])
    }
    if let refusal { throw refusal }
    return rest
  }

  func end(_ organisation: String) {
    state.withLock { $0.underWay[organisation, default: 1] -= 1 }
  }
}

/// The requests of a minute or a day.
private struct SlidingWindow {
  private let length: Duration
  private var instants: [ContinuousClock.Instant] = []
  /// The number of instants at the beginning that are older than the window.
  private var expired = 0

  init(_ length: Duration) {
    self.length = length
  }

  /// Adds a request, and returns the number of requests in the window that ends with it.
  @discardableResult
  mutating func add(_ instant: ContinuousClock.Instant) -> Int {
    instants.append(instant)
    return count(instant)
  }

  /// Returns the number of requests in the window that ends with an instant.
  mutating func count(_ instant: ContinuousClock.Instant) -> Int {
    while expired < instants.count, instants[expired] <= instant - length { expired += 1 }
    // Removing them one by one would move all others each time.
    if expired > instants.count / 2 {
      instants.removeFirst(expired)
      expired = 0
    }
    return instants.count - expired
  }

  func secondsUntilRoom(_ now: ContinuousClock.Instant) -> Int {
    guard expired < instants.count else { return 1 }
    let wait = instants[expired] + length - now
    return max(1, Int(clamping: wait / .seconds(1), rounding: .up))
  }
}

/// Counts the requests for each organisation, and answers those above the limits with 429.
struct OrganisationMiddleware: RouterMiddleware {
  let counter: OrganisationCounter

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    guard !request.isControl, let organisation = request.organisation else {
      return try await next(request, context)
    }
    let rest: [String: String]
    do { rest = try counter.begin(organisation) } catch {
      return Response(text: "", status: .tooManyRequests).adding([
        "Retry-After": "\(error.retryAfter)", "X-Rate-Limit-Problem": error.problem,
      ])
    }
    defer { counter.end(organisation) }
    return try await next(request, context).adding(rest)
  }
}

/// The request limits that a sandbox enforces, as Xero does.
package struct SandboxLimits: Sendable, Hashable {
  /// The number of requests for an organisation in a minute.
  package var perMinute = 60
  /// The number of requests for an organisation in 24 hours; refused ones do not count.
  package var perDay = 5_000
  /// The number of concurrent requests for an organisation.
  package var concurrent = 5
  /// The number of requests for all organisations together in a minute.
  package var perMinuteOfAll = 10_000

  /// Creates the limits that Xero publishes.
  package init() {}
}
