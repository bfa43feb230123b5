import CAppCore
import Documents
import ErrorCodes
import Glibc

/// The place where a caller wants an error; `nil` if only the kind matters.
typealias ErrorSlot = UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>

/// Errors as the C interface returns them.
enum CError {
  /// Returns an error in memory of its own; `nil` if there is none left.
  static func make(_ failure: Failure) -> UnsafeMutablePointer<appcore_error>? {
    guard let memory = malloc(MemoryLayout<appcore_error>.size) else { return nil }
    let error = memory.bindMemory(to: appcore_error.self, capacity: 1)
    error.initialize(
      to: appcore_error(
        kind: failure.status.rawValue, retryable: failure.isRetryable ? 1 : 0,
        code: UnsafePointer(CText.copy(failure.code.rawValue)),
        message: UnsafePointer(CText.copy(failure.message)),
        hint: failure.hint.flatMap { UnsafePointer(CText.copy($0)) },
        provider_message: failure.providerMessage.flatMap { UnsafePointer(CText.copy($0)) }))
    return error
  }

  static func free(_ error: UnsafeMutablePointer<appcore_error>?) {
    guard let error else { return }
    CText.free(error.pointee.code)
    CText.free(error.pointee.message)
    CText.free(error.pointee.hint)
    CText.free(error.pointee.provider_message)
    Glibc.free(error)
  }

  /// Runs the body of a function, and returns its kind of error.
  static func outcome(_ slot: ErrorSlot?, _ body: () throws -> Void) -> CInt {
    slot?.pointee = nil
    do {
      try body()
      return CInt(APPCORE_OK)
    } catch {
      let failure = (error as? Failures)?.first ?? Failure(error)
      slot?.pointee = make(failure)
      return failure.status.rawValue
    }
  }
}
