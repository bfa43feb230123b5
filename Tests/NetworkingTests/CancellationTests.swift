import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// A request can be cancelled wherever it is.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct CancellationTests {
  // Edge case 57
  @Test(
    "a cancelled request ends immediately at every stage, and other requests are unaffected",
    arguments: CancellationStage.allCases, CancellationWay.allCases)
  func cancelled(stage: CancellationStage, way: CancellationWay) async throws {
    let scene = try await CancellationScene(stage)
    let foreign = try scene.begin(scene.other, "/wait", tag: "held")
    let neighbours = try (0..<stage.neighbours).map { _ in
      try scene.begin(scene.session, "/wait", tag: "neighbour")
    }
    if !stage.isBeforeTheToken {
      try await scene.server.requests(become: 1 + stage.neighbours)
    }
    if stage == .suspension { scene.session.suspend() }
    let held = try scene.beginHeld()
    try await scene.arrive()

    var closing: Task<Void, Never>?
    switch way {
    case .task: held.cancel()
    case .session: scene.session.cancelAll()
    case .tag: scene.session.cancel("held")
    case .shutdown: closing = Task { await scene.session.shutdown() }
    }
    // What holds it goes on holding it: to return at all is to return because it was cancelled.
    #expect(await held.joined == (way == .task ? "CancellationError" : "cancelled(held)"))
    if way.endsNeighbours {
      for neighbour in neighbours { #expect(await neighbour.joined == "cancelled(held)") }
    }

    try await scene.release()
    #expect(await foreign.joined == "200")
    if !way.endsNeighbours {
      for neighbour in neighbours { #expect(await neighbour.joined == "200") }
    }
    #expect(scene.authorizer.renewals == 1)
    if way == .shutdown {
      let late = try scene.begin(scene.session, "/", tag: "late")
      #expect(await late.joined == "session 'held' is closed")
    } else {
      try await useAllPermits(of: scene)
    }
    if stage.isBeforeTheWire { #expect(!scene.wasSent) }
    await closing?.value
    await scene.stop()
  }

  @Test("the permit of a cancelled request goes to no request that is cancelled with it")
  func turnsOfCancelled() async throws {
    for _ in 0..<20 {
      let fixture = try await SessionFixture(FaultScript(otherwise: [.hang])) {
        $0.concurrency = 1
      }
      let tasks = try (0..<50).map { index in
        let request = try fixture.request(.get, "/\(index)")
        // At once, so that all have begun before they are cancelled.
        return Task.immediate { await sessionError { try await fixture.session.send(request) } }
      }
      try await fixture.server.requests(become: 1)
      fixture.session.cancelAll()
      for task in tasks { _ = await task.joined }
      #expect(fixture.server.requests.count == 1)
      #expect(fixture.session.statistics.requests == 1)
    }
  }

  /// The session's largest number of concurrent requests reaches the server.
  private func useAllPermits(of scene: CancellationScene) async throws {
    scene.clock.advance(by: .seconds(77))
    let following = try (0..<2).map { _ in
      try scene.begin(scene.session, "/again", tag: "following")
    }
    try await eventually("both have their permit") {
      scene.server.requests.count { $0.hasPrefix("GET /again") } == 2
    }
    scene.again.open()
    for request in following { #expect(await request.joined == "200") }
  }
}
