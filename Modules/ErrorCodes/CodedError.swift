public import Foundation

/// An error with a code, as every public error of these libraries is.
///
/// A front end decides by ``code``, and shows the description. The description is a sentence that
/// holds no secret: a sync that fails stores it. A provider of a front end's own can conform its
/// errors, too.
public protocol CodedError: Error, CustomStringConvertible {
  /// The code of the cause.
  var code: ErrorCode { get }
  /// The time from which another try is allowed; `nil` if there is no such time.
  var retryAt: Date? { get }
}

extension CodedError {
  /// No such time.
  public var retryAt: Date? { nil }
}
