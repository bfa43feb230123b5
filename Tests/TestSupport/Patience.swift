import Foundation

/// The bounds on time of tests.
package enum Patience {
  /// The longest wait for what has to come: far longer than it takes on a machine that does much
  /// else, since it is there for what hangs alone.
  ///
  /// `APPCORE_TEST_PATIENCE` multiplies it.
  package static let limit: Duration =
    .seconds(300)
    * (ProcessInfo.processInfo.environment["APPCORE_TEST_PATIENCE"].flatMap(Double.init) ?? 1)
}
