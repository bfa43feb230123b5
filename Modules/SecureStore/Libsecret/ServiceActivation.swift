import CLibsecret
import SystemSupport

/// The start of the Secret Service, before libsecret is called.
///
/// libsecret would wait for the start much longer, and could not report why it failed.
enum ServiceActivation {
  private static let name = "org.freedesktop.secrets"

  /// Starts the service if it is not running.
  ///
  /// - Throws: ``SecretStoreError/unavailable(reason:)``.
  static func ensureRunning(_ cancellable: Cancellable, within limit: Duration) throws {
    let milliseconds = Int32(clamping: limit / .milliseconds(1))
    let bus = unsafe try LibsecretFailure.check { error in
      unsafe appcore_session_bus(cancellable.pointer, error)
    }
    guard let bus = unsafe bus else { throw SecretStoreError.unavailable(reason: .noBus) }
    let owned = unsafe ObjectReference(owning: UnsafeMutableRawPointer(bus))
    let isRunning = unsafe try LibsecretFailure.check { error in
      unsafe appcore_has_owner(owned.connection, name, milliseconds, cancellable.pointer, error)
    }
    guard isRunning == 0 else { return }
    do {
      _ = unsafe try LibsecretFailure.check { error in
        unsafe appcore_start_service(
          owned.connection, name, milliseconds, cancellable.pointer, error)
      }
    } catch let error as SecretStoreError where error != .unavailable(reason: .noService) {
      throw SecretStoreError.unavailable(reason: .notStarting)
    }
  }
}

extension ObjectReference {
  fileprivate var connection: OpaquePointer? { unsafe OpaquePointer(pointer) }
}
