import AppCore
import Authentication
import Dispatch
import Foundation
import Glibc
import Logging
import Models
import Networking
import Presentation
import Synchronization
import SystemSupport

/// A core that a C program has opened: its events, its requests, and the calls under way.
final class OpenCore: Sendable {
  private struct Running {
    let request: CoreRequest
    /// The feature module whose session sends the request; `nil` for the core's own.
    let module: String?
    let task: Task<Void, Never>
  }

  private struct NamedReading {
    let name: String
    let task: Task<Void, Never>
  }

  private struct State {
    var isClosing = false
    /// The calls that other threads are in.
    var calls = 0
    var lastRequest: UInt64 = 0
    /// The numbers that threads were told beforehand.
    var promisedRequests: [pthread_t: UInt64] = [:]
    /// The requests whose last event was not fetched.
    var openRequests = 0
    var running: [UInt64: Running] = [:]
    /// The session values that modules have set, and the modules that have sent a request.
    var sessions: [String: SessionConfiguration] = [:]
    var usedSessions: Set<String> = []
    var lastReading: UInt64 = 0
    /// The calls that read, and that other threads may end.
    var readings: [UInt64: NamedReading] = [:]
  }

  /// The largest number of requests whose last event was not fetched.
  static let mostRequests = 1_024

  let core: ApplicationCore
  let configurationPath: String
  /// The words that begin the commands in hints: `appcore`, with a configuration that the caller
  /// chose.
  private let program: String
  let events: EventQueue
  private let state = Mutex(State())
  /// Signalled when the last call leaves a core that is being closed.
  private let isDeserted = DispatchSemaphore(value: 0)

  init(
    _ core: ApplicationCore, configurationPath: String, program: String, events: EventQueue
  ) {
    (self.core, self.configurationPath, self.program) = (core, configurationPath, program)
    self.events = events
  }

  /// Runs the body of a call; closing the core waits for it.
  func call<Value>(_ body: (OpenCore) throws -> Value) throws -> Value {
    try state.withLock { state in
      guard !state.isClosing else { throw Misuse.badHandle }
      state.calls += 1
    }
    defer {
      let isLast = state.withLock { state in
        state.calls -= 1
        return state.isClosing && state.calls == 0
      }
      if isLast { isDeserted.signal() }
    }
    do { return try body(self) } catch {
      throw Failures(error, in: core.configuration).calling(program)
    }
  }

  func nextEvent(timeout: CInt) throws -> CoreEvent? {
    let event = try events.next(timeout: timeout)
    if event?.isLast == true { state.withLock { $0.openRequests -= 1 } }
    return event
  }

  /// Returns the number of the next request that the calling thread starts.
  func nextRequest() -> UInt64 {
    state.withLock { state in
      let thread = pthread_self()
      if let promised = state.promisedRequests[thread] { return promised }
      state.lastRequest += 1
      state.promisedRequests[thread] = state.lastRequest
      return state.lastRequest
    }
  }

  func start(
    module: String? = nil, _ body: @escaping @Sendable (CoreRequest) async throws -> Void
  ) throws -> UInt64 {
    try state.withLock { state in
      guard !state.isClosing else { throw Misuse.badHandle }
      guard state.openRequests < Self.mostRequests else { throw Misuse.tooManyRequests }
      state.openRequests += 1
      let promised = state.promisedRequests.removeValue(forKey: pthread_self())
      if promised == nil { state.lastRequest += 1 }
      let request = CoreRequest(
        id: promised ?? state.lastRequest, core: core, events: events, program: program)
      let task = BlockedSignals.whileStartingThreads {
        Task {
          await request.run(body)
          self.state.withLock { _ = $0.running.removeValue(forKey: request.id) }
        }
      }
      state.running[request.id] = Running(request: request, module: module, task: task)
      return request.id
    }
  }

  /// Blocks the thread until work is done that ``cancelReadings(named:)`` ends, if it has a name.
  func wait<Value: Sendable>(
    named name: String?, for work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    guard let name else { return try BlockingResult.wait(for: work) }
    let number = state.withLock { state in
      state.lastReading += 1
      return state.lastReading
    }
    defer { state.withLock { _ = $0.readings.removeValue(forKey: number) } }
    return try BlockingResult.wait(for: work) { task in
      state.withLock { $0.readings[number] = NamedReading(name: name, task: task) }
    }
  }

  /// Ends the calls that read under a name, each in its own task and so on its own connection.
  func cancelReadings(named name: String) {
    let readings = state.withLock { $0.readings.values.filter { $0.name == name } }
    BlockedSignals.whileStartingThreads { for reading in readings { reading.task.cancel() } }
  }

  /// Cancels a request; one that has ended is left alone.
  func cancel(_ request: UInt64) throws {
    let task = try running(request)?.task
    BlockedSignals.whileStartingThreads { task?.cancel() }
  }

  /// Sets the values that the session of a module has where the user's file states none.
  ///
  /// - Throws: ``Misuse/badArgument(message:)`` if the module has sent a request with others.
  func setSession(_ module: String, to values: SessionConfiguration) throws {
    try state.withLock { state in
      guard state.sessions[module] != values else { return }
      guard !state.usedSessions.contains(module) else {
        throw Misuse.badArgument(
          message: "the session '\(module)' has sent requests; set its values before the first")
      }
      state.sessions[module] = values
    }
  }

  /// Returns the values that a module has set for its session, which it uses from now on.
  func useSession(_ module: String) -> SessionConfiguration? {
    state.withLock { state in
      state.usedSessions.insert(module)
      return state.sessions[module]
    }
  }

  /// Cancels the requests of a module, and no other.
  func cancelSession(_ module: String) {
    let tasks = state.withLock { $0.running.values.filter { $0.module == module }.map(\.task) }
    // First, because it ends all at once: the end of one must not begin another. Those that have
    // not begun yet, or wait for a login, are known as tasks alone.
    BlockedSignals.whileStartingThreads {
      core.cancelRequests(ofModule: module)
      for task in tasks { task.cancel() }
    }
  }

  /// Passes an address to a sign-in; blocks the thread until the sign-in has read it.
  func paste(_ address: String, into request: UInt64) throws {
    let redirects = try running(request)?.request.redirects
    let result = try BlockingResult.wait { await redirects?.paste(address) }
    if let refusal = Failure(refusedRedirect: result) { throw Failures(refusal) }
  }

  /// Returns a request; `nil` if it has ended.
  private func running(_ request: UInt64) throws -> Running? {
    try state.withLock { state in
      guard request > 0, request <= state.lastRequest else { throw Misuse.badRequest }
      return state.running[request]
    }
  }

  /// Ends requests and calls, and closes the core; blocks the thread until that is done.
  func close() throws {
    let (tasks, hasCalls) = state.withLock { state in
      state.isClosing = true
      return (state.running.values.map(\.task), state.calls > 0)
    }
    BlockedSignals.whileStartingThreads { for task in tasks { task.cancel() } }
    events.close()
    if hasCalls { isDeserted.wait() }
    events.release()
    let core = core
    try BlockingResult.wait {
      for task in tasks { await task.value }
      try await core.close()
    }
  }
}

extension OpenCore {
  convenience init(config: String?, _ options: OpeningOptions) throws {
    let environment = ProcessInfo.processInfo.environment
    let loader = ConfigurationLoader(environment: environment)
    guard config != "" else { throw Misuse.badArgument(message: "config is empty") }
    let path = loader.filePath(config)
    var configuration = try loader.load(path: config, mayBeAbsent: options.mayBeAbsent)
    var directories = Directories(environment: environment)
    directories.data = options.dataFolder ?? directories.data
    directories.state = options.stateFolder ?? directories.state
    configuration.databasePath = options.database ?? configuration.databasePath
    Self.ignoreBrokenPipes()
    let events = try EventQueue()
    do {
      let core = try ApplicationCore(
        configuration: configuration, directories: directories,
        makeLogger: { Self.logger($0, options, events) })
      // The plain command reads the configuration that the environment names.
      let program = config == nil ? "appcore" : "appcore --config \(path.shellWord)"
      self.init(core, configurationPath: path, program: program, events: events)
    } catch AuthenticationError.authenticatorExists {
      throw Misuse.alreadyOpen
    }
  }

  private static func logger(
    _ label: String, _ options: OpeningOptions, _ events: EventQueue
  ) -> Logger {
    guard !options.logsEvents else {
      let level = options.logLevel ?? .info
      return Logger(label: label) { EventLogHandler(label: $0, events: events, logLevel: level) }
    }
    guard let level = options.logLevel else {
      return Logger(label: label) { _ in SwiftLogNoOpLogHandler() }
    }
    var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = level
    return logger
  }

  /// Writing to a closed connection must not end the process, unless the program handles it.
  private static func ignoreBrokenPipes() {
    var action = sigaction()
    guard sigaction(SIGPIPE, nil, &action) == 0 else { return }
    if action.__sigaction_handler.sa_handler == nil { signal(SIGPIPE, SIG_IGN) }
  }
}

struct OpeningOptions {
  fileprivate let dataFolder: String?
  fileprivate let stateFolder: String?
  fileprivate let database: String?
  fileprivate let logLevel: Logger.Level?
  fileprivate let logsEvents: Bool
  /// True if a configuration file that the caller names may be absent.
  fileprivate let mayBeAbsent: Bool

  init(_ choices: inout Choices) throws {
    dataFolder = try choices.path("dataFolder")
    stateFolder = try choices.path("stateFolder")
    database = try choices.path("database")
    logsEvents = try choices.flag("logEvents")
    mayBeAbsent = try choices.flag("newConfig")
    logLevel = try choices.text("logLevel").map { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw Misuse.badArgument(message: "unknown logLevel '\(text)'")
      }
      return level
    }
  }
}
