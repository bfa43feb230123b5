/// The reasons why a command failed: all are reported, and one decides the exit code.
struct Failures: Error {
  /// In the order in which they came.
  let all: [Failure]
  /// The first that will not pass by itself, or else the first.
  let first: Failure

  init?(_ failures: [Failure]) {
    var all: [Failure] = []
    for failure in failures where !all.contains(failure) { all.append(failure) }
    guard let first = all.first(where: { !$0.isRetryable }) ?? all.first else { return nil }
    self.all = all
    self.first = first
  }

  init(_ failure: Failure) {
    (all, first) = ([failure], failure)
  }

  /// Makes failures of what a command threw, and of what closing threw after it.
  init(_ error: any Error, closing: (any Error)? = nil) {
    var all: [Failure]
    switch error {
    case let failures as Failures: all = failures.all
    // It has said what it had to say.
    case is CommandEnded: all = []
    default: all = [Failure(error)]
    }
    if let closing { all.append(Failure(closing)) }
    self = Failures(all) ?? Failures(Failure(error))
  }

  /// The failures as lines for standard error.
  var text: String { all.map(\.text).joined(separator: "\n") }

  /// The failures as one JSON object for standard error.
  func json(isPretty: Bool = false) -> String {
    JSONText.encode(FailureDocument(self), isPretty: isPretty)
  }
}
