import AppCore

/// The failures of a command: all of them are reported, and one decides the exit code.
struct Failures: Error {
  /// The failures in the order in which they occurred.
  let all: [Failure]
  /// The first failure that a retry cannot solve, or else the first of all.
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

  /// Creates the failures from a command's error and the error of closing the core after it.
  init(
    _ error: any Error, closing: (any Error)? = nil, in configuration: CoreConfiguration? = nil
  ) {
    var all: [Failure]
    switch error {
    case let failures as Failures: all = failures.all
    // The command has already reported everything.
    case is CommandEnded: all = []
    default: all = [Failure(error, in: configuration)]
    }
    if let closing { all.append(Failure(closing, in: configuration)) }
    self = Failures(all) ?? Failures(Failure(error, in: configuration))
  }

  /// The failures as lines for standard error.
  var text: String { all.map(\.text).joined(separator: "\n") }

  /// The failures as one JSON object for standard error.
  func json(isPretty: Bool = false) -> String {
    JSONText.encode(FailureDocument(self), isPretty: isPretty)
  }
}
