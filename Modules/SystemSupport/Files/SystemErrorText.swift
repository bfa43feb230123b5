import Foundation
import Glibc

/// The system's own words for an error, such as `Permission denied`.
package enum SystemErrorText {
  /// Returns the text for an error number.
  package static func of(errno code: Int32) -> String { unsafe String(cString: strerror(code)) }

  /// Returns the text for an error of the system, of a lock or of a file operation of Foundation;
  /// `nil` for any other error, whose text may quote a secret.
  package static func of(_ error: any Error) -> String? {
    if let error = error as? FileLockError { return error.reason }
    return number(of: error).map(of(errno:))
  }

  /// Returns whether an error says that the disk, or the user's share of it, is full.
  package static func isFull(_ error: any Error) -> Bool {
    number(of: error).map { $0 == ENOSPC || $0 == EDQUOT } ?? false
  }

  /// Returns the error number in an error of the system or of a file operation of Foundation.
  private static func number(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    return [error as NSError, underlying].compactMap(\.self)
      .first { $0.domain == NSPOSIXErrorDomain }
      .map { Int32($0.code) }
  }
}
