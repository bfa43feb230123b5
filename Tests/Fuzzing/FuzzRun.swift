import Foundation
import Glibc
import SyncSupport

/// Feeds one target with inputs until the time is up, and notes what it may not do.
struct FuzzRun {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// What was done.
  struct Report: Encodable {
    var target: String
    var inputs = 0
    var bytes = 0
    var kinds = 0
    var slowest = 0.0
  }

  /// What any input may take, and what each byte of it may, in seconds of this thread alone; an
  /// unoptimized build on a small machine stays well below both.
  private static let allowance = 0.05
  private static let allowancePerByte = 20e-6

  let target: FuzzTarget
  let corpus: [[UInt8]]
  let seed: UInt64
  /// Where the input stands that is being read, for the case that nothing is left to tell of it.
  let note: CInt

  /// - Throws: ``Fault``.
  func run(inputs: Int?, seconds: Double?) throws -> Report {
    var report = Report(target: target.name)
    var kinds: Set<String> = []
    var pool = corpus
    for input in corpus { kinds.insert(try read(input, &report)) }
    var random = SeededRandom(seed: seed)
    let mutator = Mutator(words: target.words)
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    while report.inputs < inputs ?? .max, end.map({ ContinuousClock.now < $0 }) ?? true {
      let input = mutator.mutated(pool, &random)
      // What has led to something new is likely to be near to more.
      if kinds.insert(try read(input, &report)).inserted, input.count < 4_096 {
        if pool.count < 4_000 { pool.append(input) } else { pool[random.below(4_000)] = input }
      }
    }
    report.kinds = kinds.count
    return report
  }

  private func read(_ input: [UInt8], _ report: inout Report) throws -> String {
    _ = ftruncate(note, 0)
    _ = input.withUnsafeBytes { pwrite(note, $0.baseAddress, $0.count, 0) }
    let start = Self.processorTime()
    let outcome: FuzzTarget.Outcome
    do { outcome = try target.read(input) } catch {
      throw Fault(description: "not a typed error: \(error)")
    }
    let took = Self.processorTime() - start
    report.inputs += 1
    report.bytes += input.count
    report.slowest = max(report.slowest, took)
    guard took < Self.allowance + Double(input.count) * Self.allowancePerByte else {
      throw Fault(description: "\(input.count) bytes took \(took) s")
    }
    guard try target.read(input) == outcome else {
      throw Fault(description: "the same bytes read differently the second time")
    }
    return outcome.kind
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
