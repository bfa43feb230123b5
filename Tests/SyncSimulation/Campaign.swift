import Foundation
import Storage
import Synchronization

/// Many seeds, several at a time for each processor of the machine.
struct Campaign: Sendable {
  let seeds: Range<UInt64>

  /// The number of seeds that share a database: one for each would cost more than all its runs, and
  /// one for all would become slow.
  private static let share = 100

  /// The number of concurrent seeds for each processor: a seed that switches threads, or waits
  /// until it is sure that nothing runs any more, leaves the processor to the others.
  private static let seedsPerProcessor = 6

  /// - Returns: how many seeds failed.
  func run() async throws -> Int {
    let parts = stride(from: seeds.lowerBound, to: seeds.upperBound, by: Self.share).map { start in
      start..<min(seeds.upperBound, start + UInt64(Self.share))
    }
    let next = PartQueue()
    return try await withThrowingTaskGroup(of: Int.self) { group in
      let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
      for _ in 0..<min(parts.count, processors * Self.seedsPerProcessor) {
        group.addTask {
          var failed = 0
          while let number = next.take(below: parts.count) {
            failed += try await run(parts[number])
          }
          return failed
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private func run(_ part: Range<UInt64>) async throws -> Int {
    let parent =
      FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? "/dev/shm" : FileManager.default.temporaryDirectory.path(percentEncoded: false)
    let folder = parent + "/sync-simulation-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: Stage.logins(in: folder), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = try await LocalDatabase.open(at: folder + "/simulation.sqlite")
    var failed = 0
    for seed in part {
      var simulation = try Simulation(
        seed: seed, keepsDiary: seeds.count == 1, database: database, folder: folder)
      let (wrongs, diary) = try await simulation.run()
      for entry in diary { print(entry) }
      guard !wrongs.isEmpty else { continue }
      failed += 1
      for wrong in wrongs { print("seed \(seed): \(wrong)") }
    }
    try await database.close()
    return failed
  }
}

/// The numbers of the parts that no task has taken yet.
private final class PartQueue: Sendable {
  private let next = Mutex(0)

  func take(below end: Int) -> Int? {
    next.withLock { next in
      guard next < end else { return nil }
      defer { next += 1 }
      return next
    }
  }
}
