package import AppCore
import ErrorCodes
package import Models

/// The failures of a command: all of them are reported, and one decides the exit code.
package struct Failures: Error {
  /// The failures in the order in which they occurred.
  package let all: [Failure]
  /// The interruption, or else the first failure that a retry cannot solve, or else the first of
  /// all.
  package let first: Failure

  package init?(_ failures: [Failure]) {
    var seen: Set<Failure> = []
    let all = failures.filter { seen.insert($0).inserted }
    let decisive =
      all.first { $0.status == .interrupted } ?? all.first { !$0.isRetryable } ?? all.first
    guard let first = decisive else { return nil }
    self.all = all
    self.first = first
  }

  package init(_ failure: Failure) {
    (all, first) = ([failure], failure)
  }

  /// Creates the failures from an error and the error of closing the core after it.
  ///
  /// - Parameters:
  ///   - account: the account for the hint, if the error itself names none.
  ///   - resource: the list whose sync failed.
  package init(
    _ error: any Error, closing: (any Error)? = nil, in configuration: CoreConfiguration? = nil,
    account: String? = nil, of resource: Resource? = nil
  ) {
    var all: [Failure]
    switch error {
    case let failures as Failures: all = failures.all
    case is any ReportedError: all = []
    default: all = [Failure(error, in: configuration, account: account, of: resource)]
    }
    if let closing { all.append(Failure(closing, in: configuration)) }
    self = Failures(all) ?? Failures(Failure(error, in: configuration))
  }

  /// Returns the failures with hints whose commands call appcore with these words.
  package func calling(_ program: String) -> Failures {
    let adapted = all.map { failure in
      var failure = failure
      failure.program = program
      return failure
    }
    return Failures(adapted) ?? self
  }

  /// Returns the failures as one JSON object.
  ///
  /// - Parameters:
  ///   - isPretty: true to indent it.
  ///   - interruption: the exit code of the signal that interrupted the command.
  package func json(isPretty: Bool = false, interruption: Int32? = nil) -> String {
    JSONText.encode(FailureDocument(self, interruption), isPretty: isPretty)
  }
}

/// An error that needs no report, because everything was reported before it.
package protocol ReportedError: Error {}
