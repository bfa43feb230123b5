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

/// The attributes with which a key is found, in appcore's schema.
@safe final class KeyAttributes {
  let table: OpaquePointer?
  let schema: UnsafePointer<SecretSchema>?

  init(_ key: SecretKey) {
    unsafe table = unsafe appcore_attributes_new(key.service, key.account)
    unsafe schema = unsafe appcore_schema()
  }

  deinit {
    unsafe g_hash_table_unref(table)
  }
}
