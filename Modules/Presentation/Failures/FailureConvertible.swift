/// An error of a front end that knows its own failure.
package protocol FailureConvertible: Error {
  var failure: Failure { get }
}
