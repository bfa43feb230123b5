import CLibsecret

/// A `GCancellable`, with which a call on the keyring's thread can be cancelled.
final class Cancellable: Sendable {
  // The address is kept as a number because a pointer is not Sendable; the object itself may be
  // used from any thread (GIO documents `g_cancellable_cancel` as thread-safe).
  private let address: UInt

  init() {
    address = unsafe UInt(bitPattern: g_cancellable_new())
  }

  deinit {
    unsafe g_object_unref(UnsafeMutableRawPointer(bitPattern: address))
  }

  var pointer: UnsafeMutablePointer<GCancellable>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }

  func cancel() {
    unsafe g_cancellable_cancel(pointer)
  }
}
