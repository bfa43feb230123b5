import Hummingbird
import Logging
import NIOCore

#if canImport(HummingbirdTLS)
  import HummingbirdTLS
#endif

/// A running HTTP server and the task it runs in.
final class Listener: Sendable {
  let port: Int
  private let task: Task<Void, Never>

  private init(port: Int, task: Task<Void, Never>) {
    self.port = port
    self.task = task
  }

  deinit {
    task.cancel()
  }

  /// Listens on 127.0.0.1.
  ///
  /// - Parameter onListening: called with the port, before the first connection is accepted.
  /// - Throws: ``SandboxError/cannotListen(port:underlying:)``.
  static func open(
    _ router: Router<SandboxContext>,
    security: TransportSecurity,
    port: Int,
    onListening: @escaping @Sendable (Int) -> Void
  ) async throws -> Listener {
    let (events, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    let application = try application(router, security: security, port: port) { channel in
      let bound = channel.localAddress?.port ?? port
      onListening(bound)
      continuation.yield(bound)
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
      for try await bound in events { return Listener(port: bound, task: task) }
      throw CancellationError()
    } catch {
      task.cancel()
      if error is CancellationError { throw error }
      throw SandboxError.cannotListen(port: port, underlying: error)
    }
  }

  /// Stops listening, cuts every connection, and waits until both is done.
  func close() async {
    task.cancel()
    await task.value
  }

  private static func application(
    _ router: Router<SandboxContext>,
    security: TransportSecurity,
    port: Int,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void
  ) throws -> Application<RouterResponder<SandboxContext>> {
    let configuration = ApplicationConfiguration(
      address: .hostname("127.0.0.1", port: port), serverName: "appcore-sandbox")
    // Whoever starts a sandbox in a test wants its output to be the test's.
    let logger = Logger(label: "appcore.sandbox", factory: { _ in SwiftLogNoOpLogHandler() })
    return switch security {
    case .none:
      Application(
        router: router, configuration: configuration, onServerRunning: onServerRunning,
        logger: logger)
    #if canImport(HummingbirdTLS)
      case .tls(let tls):
        Application(
          router: router, server: try .tls(tlsConfiguration: tls), configuration: configuration,
          onServerRunning: onServerRunning, logger: logger)
    #endif
    }
  }
}
