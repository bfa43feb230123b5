import Foundation
import TestSupport

/// wrk, a load generator in C: about as little as a client can cost.
struct WrkProgram {
  private let program: String
  private let url: URL

  /// `nil` where it is not installed.
  init?(url: URL) {
    guard let program = ChildProcess.find("wrk") else { return nil }
    self.program = program
    self.url = url
  }

  var contender: Comparison.Contender {
    .init(name: "wrk") { load in
      let seconds = max(1, Int(load.duration.components.seconds))
      let ending = try await ChildProcess(
        program,
        ["-t1", "-c\(load.concurrency)", "-d\(seconds)s", "--latency", url.absoluteString],
        environment: [:]
      ).ending()
      func value(after label: String) -> Substring? {
        ending.output.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
          .first { $0.first ?? "" == label }?.last
      }
      guard let rate = value(after: "Requests/sec:").flatMap({ Double($0) }),
        let p50 = value(after: "50%").flatMap(milliseconds),
        let p99 = value(after: "99%").flatMap(milliseconds),
        !ending.output.contains("Non-2xx")
      else { throw WrongAnswer() }
      return Sample(throughput: rate, p50: p50, p99: p99)
    }
  }

  private func milliseconds(_ text: Substring) -> Double? {
    for (unit, factor) in [("us", 0.001), ("ms", 1), ("s", 1_000)] where text.hasSuffix(unit) {
      return Double(text.dropLast(unit.count)).map { $0 * factor }
    }
    return nil
  }
}

/// curl, one process that keeps its connections.
struct CurlProgram {
  private let program: String
  private let url: URL

  /// `nil` where it is not installed.
  init?(url: URL) {
    guard let program = ChildProcess.find("curl") else { return nil }
    self.program = program
    self.url = url
  }

  /// The program takes a number of requests, not a time: about as many as it sends in the time.
  var contender: Comparison.Contender {
    .init(name: "curl") { load in
      let count = max(load.concurrency, Int(5_000 * (load.duration / .seconds(1))))
      let parallel = ["--parallel", "--parallel-max", "\(load.concurrency)"]
      let begin = ContinuousClock.now
      let ending = try await ChildProcess(
        program,
        ["-q", "-s", "-o", "/dev/null", "-w", "%{response_code} %{time_total}\\n"]
          + (load.concurrency > 1 ? parallel : []) + ["\(url.absoluteString)?[1-\(count)]"],
        environment: [:]
      ).ending()
      let seconds = (ContinuousClock.now - begin) / .seconds(1)
      let latencies = ending.output.split(separator: "\n").compactMap { line in
        line.hasPrefix("200 ") ? Double(line.dropFirst(4)).map { $0 * 1_000 } : nil
      }.sorted()
      guard latencies.count == count else { throw WrongAnswer() }
      return Sample(
        throughput: Double(count) / seconds, p50: latencies[count / 2],
        p99: latencies[count * 99 / 100])
    }
  }
}
