import CLibsecret

/// The GLib main context in which D-Bus reports changes of the service.
///
/// libsecret trusts its cache until a main loop reports a change. appcore cannot run a front end's
/// loop, so the keyring's thread has a context of its own. Before each call, it processes the
/// events since the last one: a restarted service, or a locked keyring.
@safe final class MainContext: Sendable {
  static let shared = MainContext()

  // An address because a pointer is not Sendable; a context may be used from any thread.
  private let address = unsafe UInt(bitPattern: g_main_context_new())

  private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

  /// Runs a call of the keyring's thread, and repeats it once if it fails because the service has
  /// just restarted.
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
