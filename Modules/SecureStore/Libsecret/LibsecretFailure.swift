import CLibsecret

/// An error for an item that another process removed after it was found and before it was used.
struct VanishedItem: Error {
  let code: String
}

/// The conversion of a `GError` into this module's error.
enum LibsecretFailure {
  /// Makes a call that reports errors through a `GError`, and frees it.
  static func check<Value>(
    _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
  ) throws -> Value {
    var error: UnsafeMutablePointer<GError>?
    let value = unsafe call(&error)
    if let failure = unsafe error {
      defer { unsafe g_error_free(failure) }
      throw unsafe translate(failure)
    }
    return value
  }

  private static func translate(_ error: UnsafeMutablePointer<GError>) -> any Error {
    if unsafe appcore_error_is_cancelled(error) != 0 { return CancellationError() }
    if unsafe appcore_error_is_absent(error) != 0 {
      return SecretStoreError.unavailable(reason: .noService)
    }
    if unsafe appcore_error_is_disconnected(error) != 0 {
      return SecretStoreError.unavailable(reason: .stopped)
    }
    if unsafe appcore_error_is_timeout(error) != 0 {
      return SecretStoreError.timedOut(operation: "waiting for the keyring to answer")
    }
    if unsafe appcore_error_is_locked(error) != 0 { return SecretStoreError.locked }
    // The text of an error can quote sent data; domain and number cannot.
    let domain = unsafe g_quark_to_string(error.pointee.domain).map { unsafe String(cString: $0) }
    let code = unsafe "\(domain ?? "unknown") \(error.pointee.code)"
    return unsafe appcore_error_is_gone(error) != 0
      ? VanishedItem(code: code) : SecretStoreError.failed(code: code)
  }
}
