import Foundation

/// Several ways of doing the same, measured in alternation and compared with the first one.
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
    let table = MarkdownTable(
      title: "\(title), \(concurrency) at once, median of \(rounds) rounds",
      columns: ["requests/s", "of the first", "p50 ms", "p99 ms", "CPU µs", "of the first"])
    for (contender, own) in zip(contenders, samples) {
      // Each round is compared with the same round of the first.
      let ratio = zip(own, samples[0]).map { $0.throughput / $1.throughput }.median
      let processor = own.compactMap(\.processor).median
      let processorRatio = zip(own, samples[0]).compactMap { own, first in
        own.processor.flatMap { own in first.processor.map { own / $0 } }
      }.median
      table.row(
        contender.name, own.map(\.throughput).median.digits(0), (ratio * 100).digits(1) + " %",
        own.map(\.p50).median.digits(3), own.map(\.p99).median.digits(3), processor.digits(1),
        (processorRatio * 100).digits(1) + " %")
    }
  }
}
