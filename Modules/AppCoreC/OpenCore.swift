import AppCore
import Authentication
import Dispatch
import Documents
import Foundation
import Glibc
import Logging
import Models
import Synchronization

/// A core that a C program has opened: its events, its requests, and the calls under way.
final class OpenCore: Sendable {
  private struct Running {
    let request: CoreRequest
    let task: Task<Void, Never>
  }

  private struct State {
    var isClosing = false
    /// The calls that other threads are in.
    var calls = 0
    var lastRequest: UInt64 = 0
    /// The requests whose last event was not fetched.
    var openRequests = 0
    var running: [UInt64: Running] = [:]
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

  init(_ core: ApplicationCore, configurationPath: String, program: String) throws {
    (self.core, self.configurationPath, self.program) = (core, configurationPath, program)
    events = try EventQueue()
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

  func start(_ body: @escaping @Sendable (CoreRequest) async throws -> Void) throws -> UInt64 {
    try state.withLock { state in
      guard !state.isClosing else { throw Misuse.badHandle }
      guard state.openRequests < Self.mostRequests else { throw Misuse.tooManyRequests }
      state.openRequests += 1
      state.lastRequest += 1
      let request = CoreRequest(
        id: state.lastRequest, core: core, events: events, program: program)
      let task = Task {
        await request.run(body)
        self.state.withLock { _ = $0.running.removeValue(forKey: request.id) }
      }
      state.running[request.id] = Running(request: request, task: task)
      return request.id
    }
  }

  /// Cancels a request; one that has ended is left alone.
  func cancel(_ request: UInt64) throws {
    try running(request)?.task.cancel()
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
    for task in tasks { task.cancel() }
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
    do {
      let core = try ApplicationCore(
        configuration: configuration, directories: directories,
        makeLogger: { Self.logger($0, options.logLevel) })
      // The plain command reads the configuration that the environment names.
      let program = config == nil ? "appcore" : "appcore --config \(path.shellWord)"
      try self.init(core, configurationPath: path, program: program)
    } catch AuthenticationError.authenticatorExists {
      throw Misuse.alreadyOpen
    }
  }

  private static func logger(_ label: String, _ level: Logger.Level?) -> Logger {
    guard let level else { return Logger(label: label) { _ in SwiftLogNoOpLogHandler() } }
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
  /// True if a configuration file that the caller names may be absent.
  fileprivate let mayBeAbsent: Bool

  init(_ choices: inout Choices) throws {
    dataFolder = try choices.path("dataFolder")
    stateFolder = try choices.path("stateFolder")
    database = try choices.path("database")
    mayBeAbsent = try choices.flag("newConfig")
    logLevel = try choices.text("logLevel").map { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw Misuse.badArgument(message: "unknown logLevel '\(text)'")
      }
      return level
    }
  }
}

extension Choices {
  fileprivate mutating func path(_ name: String) throws -> String? {
    let path = try text(name)
    guard path?.hasPrefix("/") ?? true else {
      throw Misuse.badArgument(message: "\(name) must be an absolute path")
    }
    return path
  }
}
