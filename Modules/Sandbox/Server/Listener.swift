import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore

/// A running HTTP server on 127.0.0.1.
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

  /// Stops listening, closes every connection, and waits until all are closed.
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
