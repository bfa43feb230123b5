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

/// The attributes with which a key is found, in appcore's schema.
@safe final class KeyAttributes {
  let table: OpaquePointer?
  let schema: UnsafePointer<SecretSchema>?

  convenience init(_ key: SecretKey) { self.init(key.service, key.account) }

  /// - Parameter account: `nil` for all accounts of the service.
  init(_ service: String, _ account: String?) {
    unsafe table = unsafe appcore_attributes_new(service, account)
    unsafe schema = unsafe appcore_schema()
  }

  deinit {
    unsafe g_hash_table_unref(table)
  }
}
