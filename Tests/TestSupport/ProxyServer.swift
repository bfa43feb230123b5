import NIOCore
import NIOPosix
import Synchronization

/// A forward proxy on the loopback interface: tunnels for `https`, whole URLs for `http`.
///
/// It leads to this machine only, whatever it is asked for.
package final class ProxyServer: Sendable {
  /// What a client asked of it.
  package struct Asked: Sendable {
    /// Host and port.
    package let authority: String
    /// Whether it was a CONNECT.
    package let isTunnel: Bool
    /// What came as `Proxy-Authorization`: `user:password`, or the field where it is no Basic.
    package let credentials: String?
  }

  /// What it does.
  package struct Behaviour: Sendable {
    /// What it asks for, as `user:password`; `nil` is nothing.
    package var credentials: String?
    /// Whether a CONNECT gets no answer.
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
  }

  deinit { end() }

  package var host: String { "127.0.0.1" }
  package var url: String { "http://127.0.0.1:\(port)" }
  /// Every request, those that were refused among them.
  package var asked: [Asked] { log.asked }
  /// How many connections there are, those to the servers included.
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

/// What a proxy was asked.
final class ProxyLog: Sendable {
  private let state = Mutex<[ProxyServer.Asked]>([])

  var asked: [ProxyServer.Asked] { state.withLock { $0 } }

  func add(_ asked: ProxyServer.Asked) {
    state.withLock { $0.append(asked) }
  }
}
