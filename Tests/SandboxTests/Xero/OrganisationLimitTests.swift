import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Sandbox

/// Limits that hold for an organisation, and the counts of its requests.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct OrganisationLimitTests {
  private static func limits(
    _ perMinute: Int, concurrent: Int = 9, ofAll: Int = 999
  ) -> SandboxLimits {
    var limits = SandboxLimits()
    (limits.perMinute, limits.concurrent, limits.perMinuteOfAll) = (perMinute, concurrent, ofAll)
    return limits
  }

  @Test("a minute slides, and the wait lasts until there is room")
  func minute() throws {
    let start = ContinuousClock.now
    let now = Mutex(start)
    let counter = OrganisationCounter(limits: Self.limits(2)) { now.withLock { $0 } }
    func ask(_ organisation: String = "a", at second: Int) -> OrganisationCounter.Refusal? {
      now.withLock { $0 = start + .seconds(second) }
      do { try counter.begin(organisation) } catch { return error }
      counter.end(organisation)
      return nil
    }
    #expect(ask(at: 0) == nil && ask(at: 30) == nil)
    let refused = try #require(ask(at: 40))
    #expect(refused.problem == "minute" && refused.retryAfter == 20)
    #expect(ask("b", at: 40) == nil)
    // A refused request counts as well.
    #expect(ask(at: 61)?.problem == "minute")
    #expect(ask(at: 101) == nil)
    #expect(counter.counts["a"]?.requests == 5 && counter.counts["a"]?.refused == 2)
    #expect(counter.counts["a"]?.mostPerMinute == 3 && counter.mostPerMinute == 4)
  }

  @Test("requests at the same time, and those of all organisations, have limits of their own")
  func others() throws {
    let counter = OrganisationCounter(limits: Self.limits(9, concurrent: 1))
    try counter.begin("a")
    try counter.begin("b")
    let error = #expect(throws: OrganisationCounter.Refusal.self) { try counter.begin("a") }
    #expect(error?.problem == "concurrent")
    counter.end("a")
    try counter.begin("a")
    #expect(counter.counts["a"]?.mostConcurrent == 2 && counter.counts["b"]?.mostConcurrent == 1)
    let all = OrganisationCounter(limits: Self.limits(9, ofAll: 1))
    try all.begin("a")
    let second = #expect(throws: OrganisationCounter.Refusal.self) { try all.begin("b") }
    #expect(second?.problem == "appminute")
  }

  @Test("a request above the limit is answered with 429 and the time to wait")
  func answer() async throws {
    let (server, caller) = try await startSandbox {
      $0.tenants = 2
      $0.limits = Self.limits(1)
    }
    let token = try await caller.machineToken().accessToken
    let ids = server.tenantIDs
    func status(_ id: String) async throws -> Int {
      try await caller.invoices(token: token, headers: ["Xero-tenant-id": id]).status
    }
    #expect(try await status(ids[0]) == 200)
    let refused = try await caller.invoices(token: token, headers: ["Xero-tenant-id": ids[0]])
    #expect(refused.status == 429 && refused[header: "X-Rate-Limit-Problem"] == "minute")
    #expect(refused[header: "Retry-After"].flatMap { Int($0) } ?? 0 > 0)
    #expect(try await status(ids[1]) == 200)
    let statistics = await server.statistics()
    #expect(statistics.organisations[ids[0]]?.refused == 1)
    #expect(statistics.organisations[ids[1]]?.requests == 1)
  }

  @Test("a fault can be about one organisation")
  func fault() {
    let plan = FaultPlan([Fault(path: "/a", kind: .status, organisation: "x")])
    #expect(plan.next(for: "/a") == nil && plan.next(for: "/a", of: "y") == nil)
    #expect(plan.next(for: "/a", of: "x")?.kind == .status)
  }
}
