import Foundation
import Glibc
import TestSupport

/// One run of a program: its time, its processor time and the most memory that was resident.
struct MeasuredProcess {
  var seconds: Double
  let processorSeconds: Double
  /// In MiB.
  let memory: Double
  let output: String

  /// Runs a program to its end.
  ///
  /// - Parameter status: the exit code that is right.
  /// - Throws: `WrongAnswer` if it ends with another one, after its errors are printed.
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    status: Int32 = 0
  ) async throws -> MeasuredProcess {
    let before = processorTime
    let start = ContinuousClock.now
    let child = try ChildProcess(program, arguments, environment: environment)
    let (ending, memory) = await child.measuredEnding()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard ending.status == status else {
      print(ending.output.prefix(1_000), ending.errors.prefix(1_000))
      throw WrongAnswer()
    }
    return MeasuredProcess(
      seconds: seconds, processorSeconds: processorTime - before, memory: memory,
      output: ending.output)
  }

  /// The seconds that the processors spent on the programs that have ended.
  private static var processorTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}
