import CLibsecret
import SystemSupport

/// The system keyring: the Secret Service on the D-Bus session, through libsecret.
public struct LibsecretStore: SecretStore {
  private let service: String
  private let call: Duration
  private let write: Duration
  private let prompt: Duration

  /// Creates a handle; nothing is connected before the first call.
  ///
  /// - Parameters:
  ///   - service: the program whose secrets decide which keyrings are unlocked and checked, besides
  ///     the default one.
  ///   - callLimit: the longest time for a call that reads.
  ///   - writeLimit: the longest time for a call that writes or removes, at least that of a read;
  ///     a renewed login that cannot be written in time may be lost with the process.
  ///   - promptLimit: the longest time for the user to unlock the keyring.
  public init(
    service: String = "appcore", callLimit: Duration = .seconds(3),
    writeLimit: Duration = .seconds(15),
    promptLimit: Duration = .seconds(120)
  ) {
    self.service = service
    call = callLimit
    write = max(callLimit, writeLimit)
    prompt = promptLimit
  }

  /// An identity that is the same for every handle on the same bus.
  public var identity: String { "secret-service:" + (SessionBus.address ?? "none") }

  /// Reads a secret without unlocking anything.
  public func secret(for key: SecretKey) async throws -> Secret? {
    try await run("read", call) { try $0.secret(for: key) }
  }

  /// Writes to the keyring that holds the secret, or to the default one.
  ///
  /// A write that takes too long is abandoned, not cancelled: after a cancellation, a later write
  /// could overtake it, and the service would then store the older secret last.
  public func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try await run("write", write, isWrite: true) { try $0.store(secret, for: key, label: label) }
  }

  /// Removes a secret.
  public func removeSecret(for key: SecretKey) async throws -> Bool {
    try await run("remove", write, isWrite: true) { try $0.remove(key) }
  }

  /// Unlocks the default keyring and others with secrets of the service; the keyring's own program
  /// asks the user.
  public func unlock() async throws {
    try await run("unlock", prompt, on: .prompts) { [service] in try $0.unlock(service) }
  }

  /// Checks that the service and its default keyring exist.
  public func checkAvailability() async throws -> SecretStoreDescription {
    try await run("check", call) { [service] in try $0.describe(service) }
  }

  private func run<Value: Sendable>(
    _ operation: String, _ limit: Duration, isWrite: Bool = false,
    on thread: KeyringThread = .calls,
    _ body: @escaping @Sendable (SecretServiceCalls) throws -> Value
  ) async throws -> Value {
    guard SessionBus.address != nil else { throw SecretStoreError.unavailable(reason: .noBus) }
    let cancellable = Cancellable()
    return try await thread.run(
      operation, within: limit, cancel: { if !isWrite { cancellable.cancel() } },
      body: {
        try MainContext.shared.perform(isShared: thread === KeyringThread.calls) { isShared in
          // A service that does not start has to be distinguished from one that does not respond,
          // so it receives less than the whole time.
          return try Self.again {
            try body(
              SecretServiceCalls(
                cancellable: cancellable, isShared: isShared, startLimit: call * 0.8))
          }
        }
      })
  }

  /// Searches again if an item disappeared before it was used: there may be none any more.
  private static func again<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch is VanishedItem {}
    do { return try body() } catch let vanished as VanishedItem {
      throw SecretStoreError.failed(code: vanished.code)
    }
  }
}

/// The GLib main context in which D-Bus reports changes of the service.
///
/// libsecret trusts its cache until a main loop reports a change. appcore cannot run a front end's
/// loop, so the keyring's thread has a context of its own. Before each call, it processes the
/// events since the last one: a restarted service, or a locked keyring.
@safe private final class MainContext: Sendable {
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
