import Foundation

/// Several ways of doing the same, measured in turns and printed beside the first one of them.
struct Comparison {
  /// One way, under the name that it is printed with.
  struct Contender {
    let name: String
    let round: (Load) async throws -> Sample
  }

  let contenders: [Contender]
  var rounds = 5
  var duration = Duration.seconds(2)

  /// Measures in rounds A B C A B C …, so that what disturbs the machine disturbs all of them.
  func run(_ title: String, concurrency: Int) async throws {
    let load = Load(concurrency: concurrency, duration: duration)
    let warmUp = Load(concurrency: concurrency, duration: .milliseconds(300))
    var samples = contenders.map { _ in [Sample]() }
    for contender in contenders { _ = try await contender.round(warmUp) }
    for _ in 0..<rounds {
      for (index, contender) in contenders.enumerated() {
        samples[index].append(try await contender.round(load))
      }
    }
    print("\n\(title), \(concurrency) at once")
    print(
      "  " + "median of \(rounds) rounds".padding(toLength: 36, withPad: " ", startingAt: 0)
        + "requests/s  of first   p50 ms   p99 ms   CPU µs  of first")
    for (contender, own) in zip(contenders, samples) {
      // Each round is compared with the same round of the first.
      let ratio = zip(own, samples[0]).map { $0.throughput / $1.throughput }.median
      let processor = own.compactMap(\.processor).median
      let processorRatio = zip(own, samples[0]).compactMap { own, first in
        own.processor.flatMap { own in first.processor.map { own / $0 } }
      }.median
      print(
        "  " + contender.name.padding(toLength: 36, withPad: " ", startingAt: 0)
          + String(
            format: "%10.0f %8.1f%% %8.3f %8.3f", own.map(\.throughput).median, ratio * 100,
            own.map(\.p50).median, own.map(\.p99).median)
          + (processor.isNaN
            ? "        –         –"
            : String(format: " %8.1f %8.1f%%", processor, processorRatio * 100)))
    }
    // Also into a pipe each table is there when it is measured.
    fflush(nil)
  }
}
