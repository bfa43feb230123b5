import Foundation

/// Measured runs as a Markdown table, each compared with the first.
struct ResultTable {
  private var names: [String] = []
  private var runs: [String: [MeasuredProcess]] = [:]

  /// - Parameter seconds: the time until a part of the run's work was done.
  mutating func add(_ name: String, _ run: MeasuredProcess, seconds: Double? = nil) {
    if runs[name] == nil { names.append(name) }
    var run = run
    run.seconds = seconds ?? run.seconds
    runs[name, default: []].append(run)
  }

  /// Prints the median of each, the range, and the ratio to the first of the same round.
  func print(title: String) {
    let table = MarkdownTable(
      title: title, columns: ["seconds, median (range)", "× the first", "CPU s", "peak MiB"])
    let reference = names.first.flatMap { runs[$0] } ?? []
    for name in names {
      let own = runs[name] ?? []
      let seconds = own.map(\.seconds)
      let ratio = zip(own, reference).map { $0.seconds / $1.seconds }.median
      table.row(
        name,
        String(
          format: "%.3f (%.3f–%.3f)", seconds.median, seconds.min() ?? 0, seconds.max() ?? 0),
        ratio.digits(2), own.map(\.processorSeconds).median.digits(2),
        (own.map(\.memory).max() ?? 0).digits(0))
    }
  }
}
