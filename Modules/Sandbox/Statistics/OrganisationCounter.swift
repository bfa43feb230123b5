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
    var minutes: [String: SlidingMinute] = [:]
    var minute = SlidingMinute()
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
  /// - Throws: ``Refusal``; the request then does not count as one under way.
  func begin(_ organisation: String) throws(Refusal) {
    let now = now()
    let refusal = state.withLock { state -> Refusal? in
      var minute = state.minutes[organisation] ?? SlidingMinute()
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
        guard all > limits.perMinuteOfAll else { return nil }
        return Refusal(problem: "appminute", retryAfter: state.minute.secondsUntilRoom(now))
      }
      if refusal == nil { state.underWay[organisation] = concurrent } else { count.refused += 1 }
      state.counts[organisation] = count
      return refusal
    }
    if let refusal { throw refusal }
  }

  func end(_ organisation: String) {
    state.withLock { $0.underWay[organisation, default: 1] -= 1 }
  }
}

private struct SlidingMinute {
  private var instants: [ContinuousClock.Instant] = []
  /// The number of instants at the beginning that are older than a minute.
  private var expired = 0

  /// Adds a request, and returns the number of requests in the minute that ends with it.
  mutating func add(_ instant: ContinuousClock.Instant) -> Int {
    instants.append(instant)
    while instants[expired] <= instant - .seconds(60) { expired += 1 }
    // Removing them one by one would move all others each time.
    if expired > instants.count / 2 {
      instants.removeFirst(expired)
      expired = 0
    }
    return instants.count - expired
  }

  func secondsUntilRoom(_ now: ContinuousClock.Instant) -> Int {
    let wait = instants[expired] + .seconds(60) - now
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
    do { try counter.begin(organisation) } catch {
      return Response(text: "", status: .tooManyRequests).adding([
        "Retry-After": "\(error.retryAfter)", "X-Rate-Limit-Problem": error.problem,
      ])
    }
    defer { counter.end(organisation) }
    return try await next(request, context)
  }
}

/// The request limits that a sandbox enforces, as Xero does.
package struct SandboxLimits: Sendable, Hashable {
  /// The number of requests for an organisation in a minute.
  package var perMinute = 60
  /// The number of concurrent requests for an organisation.
  package var concurrent = 5
  /// The number of requests for all organisations together in a minute.
  package var perMinuteOfAll = 10_000

  /// Creates the limits that Xero publishes.
  package init() {}
}
