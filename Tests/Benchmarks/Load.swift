import Glibc

/// The measurements of one round.
struct Sample {
  /// Requests a second.
  let throughput: Double
  /// Milliseconds that half of the requests took at the most, and 99 of 100.
  let p50: Double
  let p99: Double
  /// Microseconds of this process's processors for a request; `nil` for another program.
  var processor: Double?
}

extension [Double] {
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

/// A closed loop: so many tasks, each sending its next request when the last was answered.
struct Load {
  let concurrency: Int
  let duration: Duration

  /// - Parameter operation: one request, read to its end; returns the bytes of the body.
  func run(expecting bytes: Int, _ operation: @escaping @Sendable () async throws -> Int)
    async throws -> Sample
  {
    let deadline = ContinuousClock.now + duration
    let before = Self.processorTime
    let begin = ContinuousClock.now
    let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<concurrency {
        group.addTask {
          var latencies: [Double] = []
          var now = ContinuousClock.now
          while now < deadline {
            guard try await operation() == bytes else { throw WrongAnswer() }
            let end = ContinuousClock.now
            latencies.append((end - now) / .milliseconds(1))
            now = end
          }
          return latencies
        }
      }
      return try await group.reduce(into: [Double]()) { $0 += $1 }.sorted()
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let processor = Self.processorTime - before
    return Sample(
      throughput: Double(latencies.count) / seconds, p50: latencies[latencies.count / 2],
      p99: latencies[latencies.count * 99 / 100], processor: processor / Double(latencies.count))
  }

  /// Microseconds that the processors spent on this process.
  static var processorTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
  }
}

/// A body was not as long as it should be.
struct WrongAnswer: Error {}
