import Hummingbird
import NIOCore

/// The context of a request: the connection that it came on.
struct SandboxContext: RequestContext {
  /// The connection was cut on purpose; there is nobody left to answer.
  struct ConnectionDropped: Error {}

  /// The C structure `linger` of socket(7), whose Swift form belongs to a module that is not ours.
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

  /// Waits; where the server is stopped meanwhile, the connection is cut and the request given up.
  func pause(for duration: Duration, in connections: OpenConnections) async throws {
    do {
      try await connections.pause(for: duration)
    } catch {
      // Cut here, since an error that leaves the endpoint is answered with a 500.
      throw await drop(resetting: false)
    }
  }

  /// Cuts the connection, with a TCP reset where asked for, and answers the error to throw.
  func drop(resetting: Bool) async -> ConnectionDropped {
    if resetting, let options = channel as? any SocketOptionProvider {
      // Closing a socket that lingers for no time makes the kernel send a reset.
      let option = options.unsafeSetSocketOption(
        level: .socket, name: .so_linger, value: Linger(isOn: 1, seconds: 0))
      try? await option.get()
    }
    // It may be closed already; then there is nothing to do.
    try? await channel.close()
    return ConnectionDropped()
  }
}
