import Foundation
import Glibc
import SyncSupport

/// Feeds one target with inputs until the time is up, and notes what it may not do.
struct FuzzRun {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The result of a run.
  struct Report: Encodable {
    var target: String
    var inputs = 0
    var bytes = 0
    var kinds = 0
    var slowest = 0.0
  }

  /// The seconds that an input may take, and those that each of its bytes may add, in processor
  /// time of this process; an unoptimized build on a small machine stays well below both.
  private static let allowance = 0.05
  private static let allowancePerByte = 20e-6

  let target: FuzzTarget
  let corpus: [[UInt8]]
  let seed: UInt64
  /// The file that holds the current input, in case that the input ends the process.
  let note: CInt

  /// - Throws: ``Fault``.
  func run(inputs: Int?, seconds: Double?) async throws -> Report {
    var report = Report(target: target.name)
    var kinds: Set<String> = []
    var pool = corpus
    // What is made once, such as a session's connections, is no input's.
    if let first = corpus.first { _ = try? await target.read(first) }
    for input in corpus { kinds.insert(try await read(input, &report)) }
    var random = SeededRandom(seed: seed)
    let mutator = Mutator(words: target.words)
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    while report.inputs < inputs ?? .max, end.map({ ContinuousClock.now < $0 }) ?? true {
      let input = mutator.mutated(pool, &random)
      // What has led to something new is likely to be near to more.
      if kinds.insert(try await read(input, &report)).inserted, input.count < 4_096 {
        if pool.count < 4_000 { pool.append(input) } else { pool[random.below(4_000)] = input }
      }
    }
    report.kinds = kinds.count
    return report
  }

  private func read(_ input: [UInt8], _ report: inout Report) async throws -> String {
    _ = ftruncate(note, 0)
    _ = input.withUnsafeBytes { pwrite(note, $0.baseAddress, $0.count, 0) }
    let limit = Self.allowance + Double(input.count) * Self.allowancePerByte
    var (outcome, took) = try await timed(input)
    let first = outcome
    // A busy machine makes one reading slow, an input every one.
    for _ in 0..<4 where took >= limit {
      let again = try await timed(input)
      (outcome, took) = (again.outcome, min(took, again.took))
    }
    report.inputs += 1
    report.bytes += input.count
    report.slowest = max(report.slowest, took)
    guard took < limit else {
      throw Fault(description: "\(input.count) bytes took \(took) s")
    }
    guard outcome == first, try await timed(input).outcome == first else {
      throw Fault(description: "the same bytes read differently the second time")
    }
    return first.kind
  }

  private func timed(
    _ input: [UInt8]
  ) async throws -> (outcome: FuzzTarget.Outcome, took: Double) {
    let start = Self.processorTime()
    do {
      let outcome = try await target.read(input)
      return (outcome, Self.processorTime() - start)
    } catch {
      throw Fault(description: "not a typed error: \(error)")
    }
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
