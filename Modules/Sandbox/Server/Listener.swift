import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import Synchronization

final class Listener: Sendable {
  private let channel: any Channel
  private let connections: OpenConnections
  private let task: Task<Void, Never>

  private init(channel: any Channel, connections: OpenConnections, task: Task<Void, Never>) {
    self.channel = channel
    self.connections = connections
    self.task = task
  }

  deinit {
    connections.close()
    channel.close(promise: nil)
  }

  /// Starts listening, and returns once the server accepts connections.
  ///
  /// - Parameter onListening: called with the port, before the first connection is accepted.
  /// - Throws: ``SandboxError/cannotListen(port:underlying:)``.
  static func open(
    _ router: Router<SandboxContext>,
    security: TransportSecurity,
    port: Int,
    connections: OpenConnections,
    onListening: @escaping @Sendable (Int) -> Void
  ) async throws -> Listener {
    let (events, continuation) = AsyncThrowingStream.makeStream(of: (any Channel).self)
    let application = try application(router, security, port: port, connections) { channel in
      onListening(channel.localAddress?.port ?? port)
      continuation.yield(channel)
    }
    let task = Task {
      do {
        try await application.run()
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    do {
      for try await channel in events {
        return Listener(channel: channel, connections: connections, task: task)
      }
      throw CancellationError()
    } catch {
      task.cancel()
      if error is CancellationError { throw error }
      throw SandboxError.cannotListen(port: port, underlying: error)
    }
  }

  func close() async {
    // The registry closes first, so that no connection is added while the listening socket closes.
    connections.close()
    channel.close(promise: nil)
    await task.value
  }

  private static func application(
    _ router: Router<SandboxContext>,
    _ security: TransportSecurity,
    port: Int,
    _ connections: OpenConnections,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void
  ) throws -> Application<RouterResponder<SandboxContext>> {
    let configuration = ApplicationConfiguration(
      address: .hostname("127.0.0.1", port: port), serverName: "appcore-sandbox")
    // A test that starts a sandbox needs the output for itself.
    let logger = Logger(label: "appcore.sandbox", factory: { _ in SwiftLogNoOpLogHandler() })
    return switch security {
    case .none:
      Application(
        router: router,
        server: .http1(
          configuration: .init(additionalChannelHandlers: [ConnectionRegistrar(connections)])),
        configuration: configuration, onServerRunning: onServerRunning, logger: logger)
    case .tls(let tls):
      Application(
        router: router,
        server: try .tls(
          .http1(
            configuration: .init(additionalChannelHandlers: [ConnectionRegistrar(connections)])),
          tlsConfiguration: tls),
        configuration: configuration, onServerRunning: onServerRunning, logger: logger)
    }
  }
}

enum TransportSecurity: Sendable {
  case none
  case tls(TLSConfiguration)

  /// Reads the files of a certificate; blocks while it does.
  ///
  /// - Throws: ``SandboxError/unreadableFile(path:line:reason:)``.
  init(_ certificate: ServerCertificate) throws {
    let chain = try Self.reading(certificate.certificateFile) { path in
      try NIOSSLCertificate.fromPEMFile(path)
    }
    let key = try Self.reading(certificate.keyFile) { path in
      try NIOSSLPrivateKey(file: path, format: .pem)
    }
    self = .tls(
      .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
  }

  private static func reading<Value>(
    _ path: String, _ read: (String) throws -> Value
  ) throws -> Value {
    do {
      return try read(path)
    } catch {
      throw SandboxError.unreadableFile(
        path: path, line: nil, reason: "the PEM file cannot be read (\(error))")
    }
  }
}

/// The open connections and delayed requests of a server, so that all can be ended together.
///
/// Cancelling the server's task does not stop it: a connection that was accepted but not yet passed
/// on would be dropped unfinished, and NIO then ends the process.
final class OpenConnections: Sendable {
  private struct State {
    var isClosing = false
    var channels: [ObjectIdentifier: any Channel] = [:]
    var pauses: [Int: Task<Void, Never>] = [:]
    var pausesBegun = 0
    var lastUse = ContinuousClock.now
  }

  private let state = Mutex(State())

  var isClosing: Bool { state.withLock { $0.isClosing } }

  func add(_ channel: any Channel) {
    state.withLock { $0.channels[ObjectIdentifier(channel)] = channel }
  }

  func remove(_ channel: any Channel) {
    state.withLock {
      $0.channels[ObjectIdentifier(channel)] = nil
      $0.lastUse = .now
    }
  }

  /// Returns the time that is left until no connection was open for `time`; `nil` if none is left.
  func rest(of time: Duration) -> Duration? {
    state.withLock { state in
      guard state.channels.isEmpty else { return time }
      let rest = time - state.lastUse.duration(to: .now)
      return rest > .zero ? rest : nil
    }
  }

  /// Waits, but not beyond ``endPauses()``, nor beyond the server's end, which throws
  /// `CancellationError`.
  func pause(for duration: Duration) async throws -> PauseEnd {
    let pause = Task<Void, Never> { try? await Task.sleep(for: duration) }
    let number = state.withLock { state -> Int? in
      guard !state.isClosing else { return nil }
      state.pausesBegun += 1
      state.pauses[state.pausesBegun] = pause
      return state.pausesBegun
    }
    guard let number else {
      pause.cancel()
      throw CancellationError()
    }
    defer { _ = state.withLock { $0.pauses.removeValue(forKey: number) } }
    await withTaskCancellationHandler {
      await pause.value
    } onCancel: {
      pause.cancel()
    }
    try Task.checkCancellation()
    guard !isClosing else { throw CancellationError() }
    return pause.isCancelled ? .early : .inTime
  }

  /// Ends every pause; the delayed requests go on.
  func endPauses() {
    for pause in state.withLock({ Array($0.pauses.values) }) { pause.cancel() }
  }

  func close() {
    let (channels, pauses) = state.withLock { state in
      state.isClosing = true
      return (Array(state.channels.values), Array(state.pauses.values))
    }
    for pause in pauses { pause.cancel() }
    for channel in channels { channel.close(promise: nil) }
  }
}

/// The ways in which a pause ends.
enum PauseEnd {
  case inTime
  /// By ``OpenConnections/endPauses()``.
  case early
}

/// Registers its connection, and closes it immediately if the server is stopping.
private final class ConnectionRegistrar: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let connections: OpenConnections

  init(_ connections: OpenConnections) {
    self.connections = connections
  }

  /// Registers the connection before it is active: one that never becomes active must be closed
  /// too.
  func handlerAdded(context: ChannelHandlerContext) {
    connections.add(context.channel)
    closeIfStopping(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connections.remove(context.channel)
  }

  func channelActive(context: ChannelHandlerContext) {
    // Later handlers must not take over the connection, because nothing would close it.
    if !closeIfStopping(context) { context.fireChannelActive() }
  }

  @discardableResult
  private func closeIfStopping(_ context: ChannelHandlerContext) -> Bool {
    guard connections.isClosing else { return false }
    let channel = context.channel
    // Not synchronously, because the pipeline is still being set up.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return true
  }
}
