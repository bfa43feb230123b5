import NIOCore
import NIOPosix
import Synchronization

/// A server on the loopback interface that accepts connections and reads nothing until
/// ``listen()``.
package final class DeafServer: Sendable {
  private final class Accepted: Sendable {
    let channels = Mutex<[any Channel]>([])
  }

  private let ledger = FaultLedger()
  private let accepted = Accepted()
  private let listener: any Channel
  package let port: Int

  package init() async throws {
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { [ledger, accepted] channel in
        accepted.channels.withLock { $0.append(channel) }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(WireHandler(ledger))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = listener.localAddress?.port ?? 0
    CleanUp.atEnd { await self.stop() }
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  /// The number of connections so far.
  package var acceptedConnections: Int { ledger.accepted }
  /// The number of open connections; one that its client has left counts until ``listen()``.
  package var openConnections: Int { ledger.open }

  /// Reads from now on, and throws away what it reads.
  package func listen() {
    for channel in accepted.channels.withLock({ $0 }) {
      _ = channel.setOption(.autoRead, value: true)
    }
  }

  /// Closes everything, and returns when it is closed.
  package func stop() async {
    listener.close(promise: nil)
    for channel in [listener] + ledger.stop() { try? await channel.closeFuture.get() }
  }
}
