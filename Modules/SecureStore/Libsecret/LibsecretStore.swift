/// The system keyring: whatever offers the Secret Service on the D-Bus session, by libsecret.
public struct LibsecretStore: SecretStore {
  private let call: Duration
  private let prompt: Duration

  /// Creates a handle; nothing is connected before the first call.
  ///
  /// - Parameters:
  ///   - callLimit: how long a call may take that asks the user nothing.
  ///   - promptLimit: how long the user may take to unlock.
  public init(callLimit: Duration = .seconds(3), promptLimit: Duration = .seconds(120)) {
    call = callLimit
    prompt = promptLimit
  }

  /// The same for every handle on the same bus.
  public var identity: String { "secret-service:" + (SessionBus.address ?? "none") }

  /// Reads a secret without unlocking anything.
  public func secret(for key: SecretKey) async throws -> Secret? {
    try await run("read", call) { try $0.secret(for: key) }
  }

  /// Writes into the default keyring, replacing what was there.
  ///
  /// A write that takes too long is given up on, not called back: calling it back would let a later
  /// one overtake it, and what the service then does last is the older.
  public func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try await run("write", call, isWrite: true) { try $0.store(secret, for: key, label: label) }
  }

  /// Removes a secret.
  public func removeSecret(for key: SecretKey) async throws -> Bool {
    try await run("remove", call, isWrite: true) { try $0.remove(key) }
  }

  /// Unlocks the default keyring; the keyring's own program asks the user.
  public func unlock() async throws {
    try await run("unlock", prompt, on: .prompts) { try $0.unlock() }
  }

  /// Looks for the service and its default keyring.
  public func checkAvailability() async throws -> SecretStoreDescription {
    try await run("check", call) { try $0.describe() }
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
          // A service that does not come up has to differ from one that does not answer, so it gets
          // less than the whole time.
          let calls = try SecretServiceCalls(
            cancellable: cancellable, isShared: isShared, startLimit: call * 0.8)
          return try Self.again { try body(calls) }
        }
      })
  }

  /// Looks once more where an item was gone when it was to be used: it may be that there is none.
  private static func again<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch is VanishedItem {}
    do { return try body() } catch let vanished as VanishedItem {
      throw SecretStoreError.failed(code: vanished.code)
    }
  }
}
