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

  /// Replaces the secret of a key in the keyring that holds it; a new one goes to the default
  /// keyring.
  ///
  /// The user may choose another default keyring at any time: a second item there would leave it
  /// unknown which secret is the right one.
  func store(_ secret: Secret, for key: SecretKey, label: String) throws {
    let items = try items(for: key)
    let bytes = secret.exposedBytes
    let value = unsafe bytes.withUnsafeBytes { buffer in
      unsafe secret_value_new(
        buffer.baseAddress?.assumingMemoryBound(to: gchar.self), gssize(buffer.count),
        "application/octet-stream")
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    guard let kept = items.count > 1 ? inDefaultCollection(items) ?? items[0] : items.first else {
      let (collection, attributes) = (try defaultCollection(), KeyAttributes(key))
      let item = unsafe try LibsecretFailure.check { error in
        unsafe secret_item_create_sync(
          collection.cast(), attributes.schema, attributes.table, label, value,
          SECRET_ITEM_CREATE_REPLACE, cancellable.pointer, error)
      }
      if let item = unsafe item { _ = unsafe ObjectReference(owning: item) }
      return
    }
    _ = try unsafe LibsecretFailure.check { error in
      unsafe secret_item_set_secret_sync(kept.cast(), value, cancellable.pointer, error)
    }
    try delete(items.filter { $0 !== kept })
  }

  /// Removes every item of a key, which also repairs a key with several.
  func remove(_ key: SecretKey) throws -> Bool {
    let items = try items(for: key)
    try delete(items)
    return !items.isEmpty
  }

  private func delete(_ items: [ObjectReference]) throws {
    for item in items {
      _ = try unsafe LibsecretFailure.check { error in
        unsafe secret_item_delete_sync(item.cast(), cancellable.pointer, error)
      }
    }
  }

  /// Unlocks the default keyring, and every other one that holds secrets of the service.
  func unlock(_ name: String) throws {
    let locked = try lockedObjects(of: name)
    guard !locked.isEmpty else { return }
    var list: UnsafeMutablePointer<GList>?
    for object in locked { unsafe list = unsafe g_list_append(list, object.pointer) }
    defer { unsafe g_list_free(list) }
    let count = try unsafe LibsecretFailure.check { error in
      unsafe secret_service_unlock_sync(service.cast(), list, cancellable.pointer, nil, error)
    }
    guard count >= locked.count else { throw SecretStoreError.promptDismissed }
  }

  /// - Parameter name: the service whose secrets make another keyring than the default one matter.
  func describe(_ name: String) throws -> SecretStoreDescription {
    let locked = try lockedObjects(of: name)
    let label =
      if let first = locked.first { keyringLabel(of: first) } else {
        try (try? defaultCollection()).map { keyringLabel(of: $0) }
          ?? search(name).first.map { keyringLabel(of: $0) }
          ?? keyringLabel(of: defaultCollection())
      }
    return SecretStoreDescription(
      backend: "Secret Service", collection: label, isLocked: !locked.isEmpty)
  }

  /// Returns the default keyring if it is locked, and the service's locked items in others.
  ///
  /// - Throws: ``SecretStoreError/unavailable(reason:)`` if there is neither a default keyring nor
  ///   an item.
  private func lockedObjects(of name: String) throws -> [ObjectReference] {
    let items = try search(name)
    let collection: ObjectReference?
    do { collection = try defaultCollection() } catch let error as SecretStoreError {
      guard case .unavailable = error, !items.isEmpty else { throw error }
      collection = nil
    }
    return [collection].compactMap { $0 }
      .filter { unsafe secret_collection_get_locked($0.cast()) != 0 }
      + items.filter {
        unsafe secret_item_get_locked($0.cast()) != 0 && !$0.isIn(collection)
      }
  }

  /// Returns the label of a keyring, or of the one that holds an item.
  private func keyringLabel(of object: ObjectReference) -> String {
    let keyrings = unsafe ObjectReference.all(of: secret_service_get_collections(service.cast()))
    if let keyring = keyrings.first(where: { object.path == $0.path || object.isIn($0) }) {
      let label = unsafe secret_collection_get_label(keyring.cast())
      defer { unsafe g_free(label) }
      if let label = unsafe label { return unsafe String(cString: label) }
    }
    // One that was created since the list of keyrings was loaded.
    return object.path.split(separator: "/").dropFirst(4).first.map(String.init) ?? ""
  }

  private func inDefaultCollection(_ items: [ObjectReference]) -> ObjectReference? {
    let collection = try? defaultCollection()
    return items.first { $0.isIn(collection) }
  }

  /// Returns the keyring with the alias `default`.
  ///
  /// If there is none, libsecret would create one and ask the user, so this does not call that
  /// function.
  private func defaultCollection() throws -> ObjectReference {
    let found: UnsafeMutablePointer<SecretCollection>?
    do {
      unsafe found = unsafe try LibsecretFailure.check { error in
        unsafe secret_collection_for_alias_sync(
          service.cast(), SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable.pointer,
          error)
      }
    } catch is VanishedItem {
      // The alias leads to a keyring that was deleted.
      throw SecretStoreError.unavailable(reason: .defaultCollectionGone)
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
    let items = try search(key.service, key.account)
    guard !items.isEmpty else {
      // A locked keyring may hide its contents: "not found" counts only if it is open.
      let collection = try defaultCollection()
      guard unsafe secret_collection_get_locked(collection.cast()) == 0 else {
        throw SecretStoreError.locked
      }
      return []
    }
    if let locked = items.first(where: { unsafe secret_item_get_locked($0.cast()) != 0 }) {
      guard locked.isIn(try? defaultCollection()) else {
        throw SecretStoreError.lockedElsewhere(keyring: keyringLabel(of: locked))
      }
      throw SecretStoreError.locked
    }
    return items
  }

  /// Returns the items of a service, or of one of its accounts, locked or not.
  private func search(_ name: String, _ account: String? = nil) throws -> [ObjectReference] {
    let attributes = KeyAttributes(name, account)
    // The search omits the schema's name: gnome-keyring hides it on locked items, which would then
    // seem absent.
    return unsafe ObjectReference.all(
      of: unsafe try LibsecretFailure.check { error in
        unsafe secret_service_search_sync(
          service.cast(), nil, attributes.table, SECRET_SEARCH_ALL, cancellable.pointer, error)
      })
  }
}

extension ObjectReference {
  /// Returns true for an item of a keyring.
  fileprivate func isIn(_ keyring: ObjectReference?) -> Bool {
    keyring.map { path.hasPrefix($0.path + "/") } ?? false
  }
}

/// The attributes with which a key is found, in appcore's schema.
@safe private final class KeyAttributes {
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

/// The start of the Secret Service, before libsecret is called.
///
/// libsecret would wait for the start much longer, and could not report why it failed.
private enum ServiceActivation {
  private static let name = "org.freedesktop.secrets"

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
