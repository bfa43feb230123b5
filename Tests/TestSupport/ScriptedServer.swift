import NIOCore
import NIOPosix
import Synchronization

/// A TCP server on the loopback interface that does to each connection what its script says.
///
/// The script runs once for every connection; when it returns or throws, the connection is closed.
/// It speaks only as much HTTP as the script writes, so it can break every rule.
package final class ScriptedServer: Sendable {
  package typealias Script = @Sendable (ScriptedConnection) async throws -> Void

  private struct State {
    var connections = 0
    var closed: Set<Int> = []
    var requests: [ScriptedRequest] = []
    var watchers: [Gate] = []
  }

  /// The port that it listens on, at 127.0.0.1.
  package let port: Int
  private let state = Mutex(State())

  private init(port: Int) {
    self.port = port
  }

  /// Runs a server for as long as `test` runs; then it closes what is still open.
  package static func run<Value: Sendable>(
    _ script: @escaping Script,
    _ test: (ScriptedServer) async throws -> Value
  ) async throws -> Value {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    let server = ScriptedServer(port: listener.channel.localAddress?.port ?? 0)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.serve(listener, script) }
      defer { group.cancelAll() }
      return try await test(server)
    }
  }

  /// The URL of a path on this server.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// What was asked so far, in the order of arrival.
  package var requests: [ScriptedRequest] { state.withLock { $0.requests } }

  /// How many connections were made so far.
  package var connections: Int { state.withLock { $0.connections } }

  /// Returns when at least so many connections were made.
  package func waitForConnections(_ count: Int) async throws {
    try await wait { $0.connections >= count }
  }

  /// Returns when at least so many requests have arrived.
  package func waitForRequests(_ count: Int) async throws {
    try await wait { $0.requests.count >= count }
  }

  /// Returns when the client has closed this connection and its script has noticed.
  package func waitForClose(of connection: Int) async throws {
    try await wait { $0.closed.contains(connection) }
  }

  func record(_ request: ScriptedRequest) {
    change { $0.requests.append(request) }
  }

  func recordClose(of connection: Int) {
    change { _ = $0.closed.insert(connection) }
  }

  private typealias Accepted = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  private func serve(
    _ listener: NIOAsyncChannel<Accepted, Never>, _ script: @escaping Script
  ) async throws {
    try await listener.executeThenClose { accepted in
      try await withThrowingDiscardingTaskGroup { group in
        for try await client in accepted {
          let number = connections
          change { $0.connections += 1 }
          group.addTask { await self.play(script, client, number) }
        }
      }
    }
  }

  private func play(_ script: Script, _ client: Accepted, _ number: Int) async {
    // How a connection ends is for the client to judge: that is what the test looks at.
    try? await client.executeThenClose { inbound, outbound in
      let connection = ScriptedConnection(
        number: number, server: self, channel: client.channel, inbound: inbound,
        outbound: outbound)
      try await script(connection)
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let watchers = state.withLock { state in
      body(&state)
      defer { state.watchers = [] }
      return state.watchers
    }
    for watcher in watchers { watcher.open() }
  }

  private func wait(_ condition: (State) -> Bool) async throws {
    while true {
      let change = Gate()
      let isMet = state.withLock { state in
        state.watchers.append(change)
        return condition(state)
      }
      if isMet { return }
      try await change.wait()
    }
  }
}
