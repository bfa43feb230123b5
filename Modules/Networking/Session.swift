public import Logging
import Synchronization
package import SystemSupport

/// The HTTP session of one feature module: its own connections, timeouts, limits and cancellation.
///
/// Sessions do not affect each other. Many can share one authorizer.
public final class Session: Sendable {
  /// The name of the module, as in the configuration.
  public let name: String
  /// The configuration of the session.
  public let configuration: SessionConfiguration

  private let operations: RunningOperations
  private let counters = SessionCounters()
  let clock: TimeSource
  private let deadlines: DeadlineScheduler
  private let permits: AsyncSemaphore
  private let clients: ClientSet
  private let links: [any Middleware]
  /// True if links run before the first one of appcore, and have to be ended with it.
  private let hasOuterLinks: Bool

  /// Creates a session; it connects to nothing until a request is sent.
  ///
  /// - Parameters:
  ///   - name: the name of the module; it appears in logs and errors.
  ///   - configuration: deadlines, limits and retry rules.
  ///   - authorizer: adds credentials; `nil` adds none.
  ///   - middleware: runs around each operation, its retries included; see ``Middleware``.
  ///   - networkMiddleware: runs around each request on the wire.
  ///   - observer: receives each finished request on the wire.
  ///   - logger: receives the log.
  public convenience init(
    name: String, configuration: SessionConfiguration = SessionConfiguration(),
    authorizer: (any RequestAuthorizer)? = nil,
    middleware: [any Middleware] = [],
    networkMiddleware: [any Middleware] = [],
    observer: (@Sendable (HTTPExchange) -> Void)? = nil,
    logger: Logger = Logger(label: "appcore.networking")
  ) {
    self.init(
      name: name, configuration: configuration, authorizer: authorizer, middleware: middleware,
      networkMiddleware: networkMiddleware, observer: observer, logger: logger, time: .system)
  }

  package init(
    name: String, configuration: SessionConfiguration,
    authorizer: (any RequestAuthorizer)? = nil,
    middleware: [any Middleware] = [],
    networkMiddleware: [any Middleware] = [],
    observer: (@Sendable (HTTPExchange) -> Void)? = nil,
    logger: Logger = Logger(label: "appcore.networking"), sharedLimits: SharedLimits? = nil,
    time: TimeSource
  ) {
    self.name = name
    self.configuration = configuration
    operations = RunningOperations(session: name)
    clock = time
    deadlines = DeadlineScheduler(clock: time)
    permits = AsyncSemaphore(limit: configuration.concurrency)
    clients = ClientSet(session: name, configuration: configuration)
    hasOuterLinks = !middleware.isEmpty
    var log = logger
    log[metadataKey: "session"] = "\(name)"
    let order = MiddlewareOrder(
      name: name, configuration: configuration, authorizer: authorizer,
      observation: Observation(session: name, observer: observer, log: log), permits: permits,
      sharedLimits: sharedLimits, clients: clients, counters: counters, clock: time)
    links = middleware + order.links(networkMiddleware)
  }

  deinit {
    // The client has to be shut down; a session that was released has no request left.
    let clients = clients
    guard !operations.isClosed else { return }
    Task { await clients.shutdown() }
  }

  /// The counts of the session's work so far.
  public var statistics: SessionStatistics { counters.snapshot }

  /// Sends a request and reads the whole response, whatever its status.
  ///
  /// - Throws: ``SessionError``; `CancellationError` if the calling task is cancelled; any error of
  ///   the authorizer or of a front end's link.
  public func send(_ request: Request) async throws -> Response {
    let operation = try begin(request)
    defer { finish(operation) }
    let response = try await pass(request, operation)
    let body: [UInt8]
    if let whole = response.body.whole {
      body = whole
    } else {
      // A front end's link has replaced the body.
      let limit = request.maximumResponseSize ?? configuration.maximumResponseSize
      body = try await operation.run { try await response.body.collect(upTo: limit) }
    }
    return Response(response, body: body)
  }

  /// Sends a request and returns the response as soon as its head has arrived.
  ///
  /// The server waits while nobody reads the body. The session's time limits continue until the
  /// body has been read; time in which the reader is busy does not count as silence. Responses
  /// other than 2xx come with their whole body.
  ///
  /// - Throws: the errors of ``send(_:)``; reading the body throws the same.
  public func stream(_ request: Request) async throws -> StreamingResponse {
    var request = request
    request.isCollected = false
    let operation = try begin(request)
    do {
      let response = try await pass(request, operation)
      guard !response.body.isWhole else {
        finish(operation)
        return response
      }
      let pump = BodyPump(operation) { [self] in finish(operation) }
      var streaming = StreamingResponse(
        head: response.head, body: pump.body(carrying: response.body), url: response.url)
      streaming.attempts = response.attempts
      streaming.waited = response.waited
      return streaming
    } catch {
      finish(operation)
      throw error
    }
  }

  /// Ends the requests of this session with ``SessionError/cancelled(session:)``.
  ///
  /// The session can be used again immediately.
  public func cancelAll() { operations.end { _ in true } }

  /// Ends the requests with a tag with ``SessionError/cancelled(session:)``.
  public func cancel(_ tag: RequestTag) { operations.end { $0.tag == tag } }

  /// Lets nothing new start until ``resume()``: running requests continue, new ones wait for a
  /// permit.
  ///
  /// It is for a front end that knows that there is no network. The time limit of an operation
  /// continues. A request that only waits for the rate limit counts as running.
  public func suspend() { permits.suspend() }

  /// Resumes the session after ``suspend()``.
  public func resume() { permits.resume() }

  /// Shuts the session down: it cancels running requests, refuses new ones and closes connections.
  public func shutdown() async {
    // Operations end first, so that callers receive `cancelled` instead of a lost connection.
    await operations.close { [clients] in await clients.shutdown() }
  }

  /// Waits as between two attempts; the wait ends with the session's requests.
  func pause(after failures: Int, before request: Request) async throws {
    let operation = try begin(request)
    defer { finish(operation) }
    let wait = configuration.retry.backoff(after: failures, clock)
    try await operation.wait { try await operation.clock.sleep(wait) }
  }

  private func pass(_ request: Request, _ operation: Operation) async throws -> StreamingResponse {
    let next = MiddlewareChain(links: links, index: 0, operation: operation)
    // Added here, so that a redirect to another origin drops them.
    var request = request.completed(with: configuration.headers)
    request.maximumWait = request.maximumWait ?? Self.maximumWait
    guard hasOuterLinks else { return try await next.send(request) }
    return try await operation.run { [request] in try await next.send(request) }
  }

  private func begin(_ request: Request) throws -> Operation {
    try request.validate()
    let operation = Operation(tag: request.tag, clock: clock, watch: deadlines)
    try operations.add(operation)
    if let limit = configuration.timeout.operation {
      operation.limit(to: limit, .timedOut(phase: .operation, origin: request.origin))
    }
    return operation
  }

  private func finish(_ operation: Operation) {
    operations.remove(operation)
    operation.finish()
  }

  /// Creates a session that shares an account's limits with the account's other sessions.
  ///
  /// - Parameter sharedLimits: the shared limits. Each session's configuration states the rates;
  ///   sessions with the same rates are counted together.
  package convenience init(
    name: String, configuration: SessionConfiguration, authorizer: any RequestAuthorizer,
    observer: (@Sendable (HTTPExchange) -> Void)?, logger: Logger, sharedLimits: SharedLimits
  ) {
    self.init(
      name: name, configuration: configuration, authorizer: authorizer, observer: observer,
      logger: logger, sharedLimits: sharedLimits, time: .system)
  }

  @TaskLocal static var maximumWait: Duration?

  /// Limits each wait of the requests that a piece of work sends, in any session.
  ///
  /// A request's own ``Request/maximumWait`` takes precedence. This is for work that creates its
  /// requests itself and does not know its caller.
  package static func waiting<Value>(
    atMost limit: Duration, _ work: () async throws -> Value
  ) async rethrows -> Value {
    try await $maximumWait.withValue(limit) { try await work() }
  }
}

/// The counts of a session's work since its creation.
public struct SessionStatistics: Sendable, Equatable {
  /// The number of requests on the wire, retries and redirects included.
  public package(set) var requests = 0
  /// The number of retries.
  public package(set) var retries = 0
  /// The time spent waiting before retries.
  public package(set) var waited: Duration = .zero
  /// The number of bytes of bodies that were read.
  public package(set) var bytesReceived = 0
}

final class SessionCounters: Sendable {
  private let state = Mutex(SessionStatistics())

  var snapshot: SessionStatistics { state.withLock { $0 } }

  func update(_ change: (inout SessionStatistics) -> Void) {
    state.withLock { change(&$0) }
  }
}

private final class RunningOperations: Sendable {
  private struct State {
    /// The task that closes the session; further calls wait for the same task.
    var closing: Task<Void, Never>?
    var operations: [ObjectIdentifier: Operation] = [:]
  }

  private let session: String
  private let state = Mutex(State())

  init(session: String) {
    self.session = session
  }

  var isClosed: Bool { state.withLock { $0.closing != nil } }

  /// Adds an operation.
  ///
  /// - Throws: ``SessionError/closed(session:)``.
  func add(_ operation: Operation) throws {
    try state.withLock { state in
      guard state.closing == nil else { throw SessionError.closed(session: session) }
      state.operations[ObjectIdentifier(operation)] = operation
    }
  }

  func remove(_ operation: Operation) {
    state.withLock { _ = $0.operations.removeValue(forKey: ObjectIdentifier(operation)) }
  }

  func end(_ isChosen: (Operation) -> Bool) {
    Self.end(state.withLock { $0.operations.values.filter(isChosen) }, of: session)
  }

  /// Refuses new operations, ends all others, and then calls `shutdown`; waits until it returns.
  func close(_ shutdown: @escaping @Sendable () async -> Void) async {
    let closing = state.withLock { state in
      if let closing = state.closing { return closing }
      let operations = Array(state.operations.values)
      let closing = Task { [session] in
        Self.end(operations, of: session)
        await shutdown()
      }
      state.closing = closing
      return closing
    }
    await closing.value
  }

  /// Ends operations.
  ///
  /// All are marked before the first waiter is resumed: a permit that one releases must not start
  /// another.
  private static func end(_ operations: [Operation], of session: String) {
    let error = SessionError.cancelled(session: session)
    let marked = operations.map { ($0, $0.markEnded(by: error)) }
    for (operation, scopes) in marked { operation.release(scopes, with: error) }
  }
}
