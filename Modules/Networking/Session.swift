package import Foundation
public import Logging
import Synchronization

/// The HTTP session of one feature module: its own connections, timeouts, limits and cancellation.
///
/// What one session does or suffers does not touch another. Many can share one authorizer.
public final class Session: Sendable {
  private struct State {
    /// Set where the session was shut down; whoever asks again waits for the same end.
    var closing: Task<Void, Never>?
    var nextID = 0
    var operations: [Int: Task<Response, any Error>] = [:]
    /// Operations that `cancelAll` or `shutdown` ended, so that their callers are told by whom.
    var ended: Set<Int> = []
  }

  /// The name of the module, as in the configuration.
  public let name: String
  /// How it behaves.
  public let configuration: SessionConfiguration

  private let state = Mutex(State())
  private let counters = SessionCounters()
  private let transport: TransportLink
  private let chain: any Link

  /// Creates a session; it connects to nothing until a request is sent.
  ///
  /// - Parameter authorizer: what adds credentials; `nil` adds none.
  public convenience init(
    name: String, configuration: SessionConfiguration,
    authorizer: (any RequestAuthorizer)? = nil,
    logger: Logger = Logger(label: "appcore.networking")
  ) {
    self.init(
      name: name, configuration: configuration, authorizer: authorizer, logger: logger,
      clock: ContinuousClock(), random: { Double.random(in: 0...1) }, now: { Date() })
  }

  package init(
    name: String, configuration: SessionConfiguration,
    authorizer: (any RequestAuthorizer)? = nil,
    logger: Logger = Logger(label: "appcore.networking"),
    clock: any Clock<Duration>, random: @escaping @Sendable () -> Double,
    now: @escaping @Sendable () -> Date
  ) {
    self.name = name
    self.configuration = configuration
    var log = logger
    log[metadataKey: "session"] = "\(name)"
    transport = TransportLink(
      name: name, configuration: configuration, counters: counters, log: log)
    var chain: any Link = AdmissionLink(limit: configuration.concurrency, next: transport)
    if case .follow(let maximum) = configuration.redirects {
      chain = RedirectLink(maximum: maximum, next: chain)
    }
    if let authorizer { chain = AuthorizationLink(authorizer: authorizer, next: chain) }
    chain = DeadlineLink(
      phase: .request, limit: configuration.timeout.request, clock: clock, next: chain)
    chain = RetryLink(
      policy: configuration.retry, clock: clock, counters: counters, random: random, now: now,
      next: chain)
    if let limit = configuration.timeout.operation {
      chain = DeadlineLink(phase: .operation, limit: limit, clock: clock, next: chain)
    }
    self.chain = chain
  }

  deinit {
    // The client insists on being shut down; a session that was dropped has no request left.
    let transport = transport
    guard state.withLock({ $0.closing == nil }) else { return }
    Task { await transport.shutdown() }
  }

  /// What the session has done so far.
  public var statistics: SessionStatistics { counters.snapshot }

  /// Sends a request and reads the whole response, whatever its status.
  ///
  /// - Throws: ``SessionError``; `CancellationError` when the calling task is cancelled; whatever
  ///   the authorizer throws.
  public func send(_ request: Request) async throws -> Response {
    let (id, operation) = try start(request)
    defer { finish(id) }
    do {
      return try await withTaskCancellationHandler {
        try await operation.value
      } onCancel: {
        operation.cancel()
      }
    } catch is CancellationError where state.withLock({ $0.ended.contains(id) }) {
      throw SessionError.cancelled(session: name)
    }
  }

  /// Ends this session's requests with ``SessionError/cancelled(session:)``, and no other's.
  ///
  /// The session can be used again at once.
  public func cancelAll() {
    let operations = state.withLock { state in
      state.ended.formUnion(state.operations.keys)
      return Array(state.operations.values)
    }
    for operation in operations { operation.cancel() }
  }

  /// Ends the session: running requests are cancelled, new ones refused, connections closed.
  public func shutdown() async {
    let transport = transport
    let closing = state.withLock { state in
      let closing = state.closing ?? Task { await transport.shutdown() }
      state.closing = closing
      return closing
    }
    cancelAll()
    await closing.value
  }

  private func start(_ request: Request) throws -> (Int, Task<Response, any Error>) {
    let chain = chain
    return try state.withLock { state in
      guard state.closing == nil else { throw SessionError.closed(session: name) }
      state.nextID += 1
      // A task of its own, so that it can be cancelled without cancelling the caller's.
      let operation = Task { try await chain.send(request) }
      state.operations[state.nextID] = operation
      return (state.nextID, operation)
    }
  }

  private func finish(_ id: Int) {
    state.withLock { state in
      state.operations[id] = nil
      state.ended.remove(id)
    }
  }
}
