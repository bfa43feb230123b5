import CLibsecret

/// The owner of one reference to a GObject.
@safe final class ObjectReference {
  let pointer: UnsafeMutableRawPointer

  init(owning pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = unsafe pointer
  }

  convenience init<Object>(owning pointer: UnsafeMutablePointer<Object>) {
    unsafe self.init(owning: UnsafeMutableRawPointer(pointer))
  }

  deinit {
    unsafe g_object_unref(pointer)
  }

  /// Returns the object as a type of which it is an instance.
  func cast<Object>() -> UnsafeMutablePointer<Object> {
    unsafe pointer.assumingMemoryBound(to: Object.self)
  }
}

extension ObjectReference {
  /// The path of a D-Bus object, such as a keyring or an item.
  var path: String {
    unsafe g_dbus_proxy_get_object_path(cast()).map { unsafe String(cString: $0) } ?? ""
  }

  /// Takes the objects of a list, and frees the list.
  static func all(of list: UnsafeMutablePointer<GList>?) -> [ObjectReference] {
    defer { unsafe g_list_free(list) }
    var objects: [ObjectReference] = []
    var node = unsafe list
    while let current = unsafe node {
      if let data = unsafe current.pointee.data {
        unsafe objects.append(ObjectReference(owning: data))
      }
      unsafe node = current.pointee.next
    }
    return objects
  }
}

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
