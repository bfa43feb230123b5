import Foundation
import TestSupport
import Testing

/// Everything at once, in a world in which things go wrong: a part of what `sync-simulation` does.
@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
  // A process of its own: its clocks and its faults are nobody else's.
  @Test("whatever goes wrong, all is there in the end, and nobody was signed out")
  func seeds() async throws {
    let first = ProcessInfo.processInfo.environment["APPCORE_FIRST_SEED"] ?? "1"
    let ending = try await ChildProcess(
      try ChildProcess.built("sync-simulation"), ["--seeds", "300", "--first", first],
      environment: ChildProcess.sanitizerEnvironment
    ).ending()
    #expect(ending.status == 0, "from \(first): \(ending.output) \(ending.errors)")
  }
}
