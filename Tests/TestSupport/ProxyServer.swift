import NIOCore
import NIOPosix
import Synchronization

/// A forward proxy on the loopback interface: tunnels for `https`, whole URLs for `http`.
///
/// It connects to this machine only, whatever host a request names.
package final class ProxyServer: Sendable {
  /// A request of a client.
  package struct Asked: Sendable {
    /// Host and port.
    package let authority: String
    /// True for a CONNECT.
    package let isTunnel: Bool
    /// The `Proxy-Authorization` as `user:password`, or the whole field if it is not Basic.
    package let credentials: String?
  }

  /// The behaviour of a proxy.
  package struct Behaviour: Sendable {
    /// The credentials that it requires, as `user:password`; `nil` requires none.
    package var credentials: String?
    /// True if a CONNECT gets no answer.
    package var hangsOnConnect = false

    package init(credentials: String? = nil, hangsOnConnect: Bool = false) {
      self.credentials = credentials
      self.hangsOnConnect = hangsOnConnect
    }
  }

  private let ledger = FaultLedger()
  private let log = ProxyLog()
  private let listener: any Channel
  package let port: Int

  package init(_ behaviour: Behaviour = Behaviour()) async throws {
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { [ledger, log] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(WireHandler(ledger))
          try pipeline.addHandler(ProxyConnection(behaviour, ledger, log))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = listener.localAddress?.port ?? 0
    CleanUp.atEnd { await self.stop() }
  }

  deinit { end() }

  package var host: String { "127.0.0.1" }
  package var url: String { "http://127.0.0.1:\(port)" }
  /// Every request, those that were refused among them.
  package var asked: [Asked] { log.asked }
  /// The number of open connections, those to the servers included.
  package var openConnections: Int { ledger.open }

  /// Waits until there are so many connections, those to the servers included.
  package func openConnections(become count: Int) async throws {
    try await eventually("\(count) open connections of the proxy") { openConnections == count }
  }

  /// Closes everything, and returns when it is closed.
  package func stop() async {
    for channel in end() { try? await channel.closeFuture.get() }
  }

  @discardableResult
  private func end() -> [any Channel] {
    listener.close(promise: nil)
    return [listener] + ledger.stop()
  }
}

/// The requests that a proxy received.
final class ProxyLog: Sendable {
  private let state = Mutex<[ProxyServer.Asked]>([])

  var asked: [ProxyServer.Asked] { state.withLock { $0 } }

  func add(_ asked: ProxyServer.Asked) {
    state.withLock { $0.append(asked) }
  }
}
