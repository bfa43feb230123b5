import CLibsecret

/// The GLib main context in which D-Bus reports changes of the service.
///
/// libsecret believes what it has cached until a main loop hears otherwise. A front end's loop is
/// not ours to run, so the keyring's thread has a context of its own and hears, before each call,
/// what has come since the last: that the service was restarted, or the keyring locked.
@safe final class MainContext: Sendable {
  static let shared = MainContext()

  // An address because a pointer is not Sendable; a context may be used from any thread.
  private let address = unsafe UInt(bitPattern: g_main_context_new())

  private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

  /// Runs a call of the keyring's thread; one that fails because the service has just been
  /// restarted is made once more.
  func perform<Value>(isShared: Bool, _ call: (_ isShared: Bool) throws -> Value) throws -> Value {
    guard isShared else { return try call(false) }
    unsafe g_main_context_push_thread_default(pointer)
    defer { unsafe g_main_context_pop_thread_default(pointer) }
    while unsafe g_main_context_iteration(pointer, 0) != 0 {}
    do {
      return try call(true)
    } catch SecretStoreError.unavailable(reason: .noService) {
      secret_service_disconnect()
      return try call(true)
    }
  }
}
