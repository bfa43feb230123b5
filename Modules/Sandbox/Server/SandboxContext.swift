import Hummingbird
import NIOCore

/// The context of a request, with its connection.
struct SandboxContext: RequestContext {
  /// An error for a connection that was closed on purpose, so that no response can be sent.
  struct ConnectionDropped: Error {}

  /// The C structure `linger` of socket(7), whose Swift form belongs to another module.
  private struct Linger {
    var isOn: CInt
    var seconds: CInt
  }

  var coreContext: CoreRequestContextStorage
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Waits; if the server stops meanwhile, closes the connection and abandons the request.
  func pause(for duration: Duration, in connections: OpenConnections) async throws {
    do {
      try await connections.pause(for: duration)
    } catch {
      // It is closed here, since an error that leaves the endpoint becomes a response with status
      // 500.
      throw await drop(resetting: false)
    }
  }

  /// Closes the connection, with a TCP reset if requested, and returns the error to throw.
  func drop(resetting: Bool) async -> ConnectionDropped {
    if resetting, let options = channel as? any SocketOptionProvider {
      // Closing a socket with a linger time of zero makes the kernel send a reset.
      let option = options.unsafeSetSocketOption(
        level: .socket, name: .so_linger, value: Linger(isOn: 1, seconds: 0))
      try? await option.get()
    }
    // If the connection is already closed, there is nothing to do.
    try? await channel.close()
    return ConnectionDropped()
  }
}
