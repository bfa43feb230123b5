import CLibsecret
import SystemSupport

/// The blocking calls of libsecret, made on the keyring's thread alone.
struct SecretServiceCalls {
  private let cancellable: Cancellable
  private let service: ObjectReference

  /// Connects to the service, and starts it if D-Bus can.
  ///
  /// - Parameters:
  ///   - isShared: true to use libsecret's shared connection; a call that may never return uses one
  ///     of its own.
  ///   - startLimit: the longest time for the service to start.
  init(cancellable: Cancellable, isShared: Bool, startLimit: Duration) throws {
    self.cancellable = cancellable
    Gcrypt.initialize()
    appcore_silence_libsecret()
    try ServiceActivation.ensureRunning(cancellable, within: startLimit)
    let flags = SECRET_SERVICE_LOAD_COLLECTIONS
    let found = try unsafe LibsecretFailure.check { error in
      isShared
        ? unsafe secret_service_get_sync(flags, cancellable.pointer, error)
        : unsafe secret_service_open_sync(
          secret_service_get_type(), nil, flags, cancellable.pointer, error)
    }
    guard let found = unsafe found else {
      // libsecret reports no error: the service exists but does not list its contents.
      throw SecretStoreError.unavailable(reason: .stopped)
    }
    service = unsafe ObjectReference(owning: found)
  }

  func secret(for key: SecretKey) throws -> Secret? {
    guard let item = try item(for: key) else { return nil }
    _ = try unsafe LibsecretFailure.check { error in
      unsafe secret_item_load_secret_sync(item.cast(), cancellable.pointer, error)
    }
    guard let value = unsafe secret_item_get_secret(item.cast()) else {
      throw SecretStoreError.locked
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var length: gsize = 0
    guard let bytes = unsafe secret_value_get(value, &length) else { return Secret([]) }
    return unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: Int(length)) {
      unsafe Secret(Array(UnsafeBufferPointer(start: $0, count: Int(length))))
    }
  }

  func store(_ secret: Secret, for key: SecretKey, label: String) throws {
    let collection = try defaultCollection()
    guard unsafe secret_collection_get_locked(collection.cast()) == 0 else {
      throw SecretStoreError.locked
    }
    let attributes = KeyAttributes(key)
    let bytes = secret.exposedBytes
    let value = unsafe bytes.withUnsafeBytes { buffer in
      unsafe secret_value_new(
        buffer.baseAddress?.assumingMemoryBound(to: gchar.self), gssize(buffer.count),
        "application/octet-stream")
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    let item = unsafe try LibsecretFailure.check { error in
      unsafe secret_item_create_sync(
        collection.cast(), attributes.schema, attributes.table, label, value,
        SECRET_ITEM_CREATE_REPLACE, cancellable.pointer, error)
    }
    if let item = unsafe item { _ = unsafe ObjectReference(owning: item) }
  }

  /// Removes every item of a key, which also repairs a key with several.
  func remove(_ key: SecretKey) throws -> Bool {
    let items = try items(for: key)
    for item in items {
      _ = try unsafe LibsecretFailure.check { error in
        unsafe secret_item_delete_sync(item.cast(), cancellable.pointer, error)
      }
    }
    return !items.isEmpty
  }

  func unlock() throws {
    let collection = try defaultCollection()
    guard unsafe secret_collection_get_locked(collection.cast()) != 0 else { return }
    guard let list = unsafe g_list_append(nil, collection.pointer) else { return }
    defer { unsafe g_list_free(list) }
    let count = try unsafe LibsecretFailure.check { error in
      unsafe secret_service_unlock_sync(service.cast(), list, cancellable.pointer, nil, error)
    }
    guard count > 0 else { throw SecretStoreError.promptDismissed }
  }

  func describe() throws -> SecretStoreDescription {
    let collection = try defaultCollection()
    let label = unsafe secret_collection_get_label(collection.cast())
    defer { unsafe g_free(label) }
    return SecretStoreDescription(
      backend: "Secret Service",
      collection: unsafe label.map { unsafe String(cString: $0) },
      isLocked: unsafe secret_collection_get_locked(collection.cast()) != 0)
  }

  /// Returns the keyring with the alias `default`.
  ///
  /// If there is none, libsecret would create one and ask the user, so this does not call that
  /// function.
  private func defaultCollection() throws -> ObjectReference {
    let found = unsafe try LibsecretFailure.check { error in
      unsafe secret_collection_for_alias_sync(
        service.cast(), SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable.pointer,
        error)
    }
    guard let found = unsafe found else {
      throw SecretStoreError.unavailable(reason: .noDefaultCollection)
    }
    return unsafe ObjectReference(owning: found)
  }

  /// Returns the one item of a key, unlocked.
  private func item(for key: SecretKey) throws -> ObjectReference? {
    let items = try items(for: key)
    guard items.count <= 1 else { throw SecretStoreError.duplicate(count: items.count) }
    return items.first
  }

  /// Returns all items of a key, unlocked.
  private func items(for key: SecretKey) throws -> [ObjectReference] {
    let attributes = KeyAttributes(key)
    // The search omits the schema's name: gnome-keyring hides it on locked items, which would then
    // seem absent.
    let list = unsafe try LibsecretFailure.check { error in
      unsafe secret_service_search_sync(
        service.cast(), nil, attributes.table, SECRET_SEARCH_ALL, cancellable.pointer, error)
    }
    guard let list = unsafe list else {
      // A locked keyring may hide its contents: "not found" counts only if it is open.
      let collection = try defaultCollection()
      guard unsafe secret_collection_get_locked(collection.cast()) == 0 else {
        throw SecretStoreError.locked
      }
      return []
    }
    defer { unsafe g_list_free(list) }
    var items: [ObjectReference] = []
    var node: UnsafeMutablePointer<GList>? = unsafe list
    while let current = unsafe node {
      if let data = unsafe current.pointee.data {
        unsafe items.append(ObjectReference(owning: data))
      }
      unsafe node = current.pointee.next
    }
    guard items.allSatisfy({ unsafe secret_item_get_locked($0.cast()) == 0 }) else {
      throw SecretStoreError.locked
    }
    return items
  }
}
