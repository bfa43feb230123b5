import Foundation
import Glibc

/// The system's own words for an error, such as `Permission denied`.
package enum SystemErrorText {
  /// Returns the text for an error number.
  package static func of(errno code: Int32) -> String { unsafe String(cString: strerror(code)) }

  /// Returns the text for an error of the system, of a lock or of a file operation of Foundation;
  /// `nil` for any other error, whose text may quote a secret.
  package static func of(_ error: any Error) -> String? {
    switch error {
    case let error as POSIXError: return of(errno: error.code.rawValue)
    case let error as FileLockError: return error.reason
    default:
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      return [error as NSError, underlying].compactMap(\.self)
        .first { $0.domain == NSPOSIXErrorDomain }
        .map { of(errno: Int32($0.code)) }
    }
  }
}
