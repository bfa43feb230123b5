import Foundation
import TestSupport
import Testing

/// The whole program in a world with faults: a part of the seeds of `sync-simulation`.
@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
  // In a process of its own, so that its clocks and faults affect no other test.
  @Test("every record is stored in the end and no login is lost, whatever goes wrong")
  func seeds() async throws {
    let first = ProcessInfo.processInfo.environment["APPCORE_FIRST_SEED"] ?? "1"
    let ending = try await ChildProcess(
      try ChildProcess.built("sync-simulation"), ["--seeds", "300", "--first", first],
      environment: ChildProcess.sanitizerEnvironment
    ).ending()
    #expect(ending.status == 0, "from \(first): \(ending.output) \(ending.errors)")
  }
}
