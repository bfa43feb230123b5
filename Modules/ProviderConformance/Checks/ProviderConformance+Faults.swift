import Foundation
import HTTPTypes
import Models
import Networking
import Sync

// The checks of faults between the server and the provider, at one request after the other.
extension ProviderConformance {
  func rateLimit(_ server: any ProviderServer) async throws -> [String] {
    try await atRequests(server) { scene, number in
      var problems: [String] = []
      // No run waits as long as an hour.
      scene.wire.apply(.answer(429, [.retryAfter: "3600"]), at: number...number)
      let begin = Date()
      let report = try await scene.run()
      problems.expect(
        report.result == .partial && report.ending == .rateLimit, "the run is \(report.result)")
      let wait = report.retryAt.map { $0.date.timeIntervalSince(begin) } ?? 0
      problems.expect((3_599...3_700).contains(wait), "it reports a retry in \(wait) seconds")
      problems += try await scene.differences("what is stored", isPart: true)
      return try await problems + scene.recovers("after the limit")
    }
  }

  func serverErrors(_ server: any ProviderServer) async throws -> [String] {
    try await atRequests(server) { scene, number in
      var problems: [String] = []
      scene.wire.apply(number.isMultiple(of: 2) ? .loss : .answer(503), at: number...number)
      let report = try await scene.run()
      problems.expect(
        report.result == .complete && report.retries > 0,
        "a single error makes the run \(report.result), with \(report.retries) repeats; a request "
          + "other than GET must be marked safe to retry")
      return try await problems + scene.differences("after a single error")
    }
      + atRequests(server) { scene, number in
        var problems: [String] = []
        scene.wire.apply(.answer(500), at: number...Int.max)
        let error = try await scene.failure()
        if case SyncError.serverFailed? = error {
        } else {
          problems.append("persistent errors end in \(Self.sentence(error))")
        }
        problems += try await scene.differences("what is stored", isPart: true)
        return try await problems + scene.recovers("after persistent errors")
      }
  }

  func credentials(_ server: any ProviderServer) async throws -> [String] {
    try await atRequests(server) { scene, number in
      var problems: [String] = []
      scene.wire.apply(.answer(401), at: number...number)
      let report = try await scene.run()
      problems.expect(
        report.result == .complete, "after expired credentials the run is \(report.result)")
      problems.expect(
        scene.credentials.renewals == 1, "they are renewed \(scene.credentials.renewals) times")
      return try await problems + scene.differences("with renewed credentials")
    }
      + atRequests(server) { scene, number in
        var problems: [String] = []
        scene.wire.apply(.answer(401), at: number...Int.max)
        let refused = try await scene.failure()
        if case SyncError.credentialsRejected? = refused {
        } else {
          problems.append("rejected credentials end in \(Self.sentence(refused))")
        }
        scene.wire.apply(.answer(403))
        let denied = try await scene.failure()
        if case SyncError.accessDenied? = denied {
        } else {
          problems.append("denied access ends in \(Self.sentence(denied))")
        }
        return try await problems + scene.recovers("after refusals")
      }
  }

  func expiredCursor(_ server: any ProviderServer) async throws -> [String] {
    try await atRequests(server) { scene, number in
      var problems: [String] = []
      scene.wire.apply(.answer(410), at: number...number)
      let report: SyncReport
      do {
        report = try await scene.run()
      } catch let error as SyncError {
        // At the start of the list there is no cursor yet that the server could forget.
        let isStart = try await scene.stored().isEmpty
        problems.expect(isStart, "it ends in \(Self.sentence(error)) where it could restart")
        return try await problems + scene.recovers("after a lost cursor")
      }
      // The request may have been for a part of a single row; then only that row is unreadable.
      guard report.ending == .unreadable else {
        return try await problems + scene.differences("after a lost cursor")
      }
      problems += try await scene.differences("after a lost cursor", isPart: true)
      return try await problems + scene.recovers("after a lost row")
    }
  }

  func brokenAnswers(_ server: any ProviderServer) async throws -> [String] {
    try await atRequests(server) { scene, number in
      var problems: [String] = []
      let page = "<!doctype html><title>Welcome</title>"
      let faults: [(String, FaultyWire.Fault)] = [
        ("half a response", .alter { Array($0.prefix($0.count / 2)) }),
        ("a web page", .answer(200, [.contentType: "text/html"], body: page)),
        ("an empty response", .answer(200)),
      ]
      for (name, fault) in faults {
        scene.wire.apply(fault, at: number...number)
        do {
          let report = try await scene.run { $0.isFull = true }
          // Later runs may need fewer requests. If the response is a part of a single row, only
          // that row is unreadable.
          problems.expect(
            scene.wire.requests < number || report.ending == .unreadable,
            "with \(name) the run is \(report.result)")
        } catch let error where error is SyncError || error is SessionError {
          // The expected error.
        }
        problems += try await scene.differences("after \(name)", isPart: true)
      }
      return try await problems + scene.recovers("after broken responses")
    }
  }

  func cancellation(_ server: any ProviderServer) async throws -> [String] {
    try await atRequests(server) { scene, number in
      var problems: [String] = []
      scene.wire.apply(.silence, at: number...Int.max)
      let run = Task {
        defer { scene.wire.wake() }
        return try await scene.run()
      }
      await scene.wire.silence()
      let clock = ContinuousClock()
      let cancelled = clock.now
      run.cancel()
      switch await run.result {
      case .failure(is CancellationError): break
      case .failure(let error): problems.append("it ends in \(Self.sentence(error))")
      case .success(let report): problems.append("the run is \(report.result) nevertheless")
      }
      let took = cancelled.duration(to: clock.now)
      // A run that ignores the cancellation ends at a deadline of the session, half a minute later.
      problems.expect(took < .seconds(20), "it takes \(took) to end")
      problems += try await scene.differences("what is stored", isPart: true)
      return try await problems + scene.recovers("after a cancelled run")
    }
  }

  private static func sentence(_ error: (any Error)?) -> String {
    error.map { "\(type(of: $0)): \($0)" } ?? "no error"
  }
}
