import NIOCore
import NIOPosix
import NIOSSL

/// A server on the loopback interface, for faults that well-behaved servers cannot make.
///
/// It knows no HTTP but where a request ends: what it sends are the bytes of its script. Its
/// descriptors belong to the event loops, which close them when no read of theirs is under way.
package final class FaultServer: Sendable {
  /// The certificate of a server that speaks TLS, and the newest version that it knows.
  package struct TLS: Sendable {
    package enum Version: Sendable {
      case tls11
      case tls12
    }

    let leaf: TestCertificates.Leaf
    let maximum: Version?

    package init(_ leaf: TestCertificates.Leaf, maximum: Version? = nil) {
      self.leaf = leaf
      self.maximum = maximum
    }
  }

  private enum Listener {
    case accepting(any Channel)
    case full(FullBacklog)
  }

  private let ledger = FaultLedger()
  private let listener: Listener
  private let scheme: String
  package let port: Int

  /// Starts a server, over TLS where it has a certificate.
  package init(_ script: FaultScript, tls: TLS? = nil) async throws {
    scheme = tls != nil || script.claimsTLS ? "https" : "http"
    guard script.isReachable else {
      let backlog = try FullBacklog()
      listener = .full(backlog)
      port = backlog.port
      CleanUp.atEnd { await self.stop() }
      return
    }
    let channel = try await Self.bind(script, ledger, try tls?.context()).get()
    listener = .accepting(channel)
    port = channel.localAddress?.port ?? 0
    CleanUp.atEnd { await self.stop() }
  }

  /// Starts a server from code that cannot wait.
  init(binding script: FaultScript) throws {
    scheme = "http"
    let channel = try Self.bind(script, ledger, nil).wait()
    listener = .accepting(channel)
    port = channel.localAddress?.port ?? 0
    CleanUp.atEnd { await self.stop() }
  }

  private static func bind(
    _ script: FaultScript, _ ledger: FaultLedger, _ security: NIOSSLContext?
  ) -> EventLoopFuture<any Channel> {
    ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(WireHandler(ledger))
          if let security { try pipeline.addHandler(NIOSSLServerHandler(context: security)) }
          try pipeline.addHandler(FaultConnection(script, ledger))
        }
      }
      .bind(host: "127.0.0.1", port: 0)
  }

  /// Starts a server that answers requests by their path, and all others well.
  package convenience init(_ paths: [String: [FaultScript.Step]], tls: TLS? = nil) async throws {
    try await self.init(FaultScript(paths), tls: tls)
  }

  /// Starts a server with a fault; a few need no certificate for being an `https` server.
  package convenience init(_ fault: WireFault, tls: TLS? = nil) async throws {
    let script = fault.script
    try await self.init(script, tls: script.claimsTLS ? nil : tls)
  }

  deinit { end() }

  package var url: String { "\(scheme)://127.0.0.1:\(port)" }
  /// Head and body of every request, in the order in which they were there as a whole.
  package var requests: [String] { ledger.requests }
  /// The number of connections so far.
  package var acceptedConnections: Int { ledger.accepted }
  /// The number of open connections.
  package var openConnections: Int { ledger.open }
  /// The number of connections that completed a TLS handshake.
  package var completedHandshakes: Int { ledger.handshakes }

  /// Waits until there are so many connections.
  package func openConnections(become count: Int) async throws {
    try await eventually("\(count) open connections") { openConnections == count }
  }

  /// Waits until so many requests have come.
  package func requests(become count: Int) async throws {
    try await eventually("\(count) requests") { requests.count == count }
  }

  /// Closes everything, and returns when it is closed.
  package func stop() async {
    for channel in end() { try? await channel.closeFuture.get() }
  }

  @discardableResult
  func end() -> [any Channel] {
    switch listener {
    case .full(let backlog):
      backlog.close()
      return []
    case .accepting(let channel):
      channel.close(promise: nil)
      return [channel] + ledger.stop()
    }
  }
}

extension FaultServer.TLS {
  fileprivate func context() throws -> NIOSSLContext {
    let certificate = try NIOSSLCertificate(bytes: Array(leaf.certificate.utf8), format: .pem)
    let key = try NIOSSLPrivateKey(bytes: Array(leaf.key.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv1
    switch maximum {
    case .tls11: configuration.maximumTLSVersion = .tlsv11
    case .tls12: configuration.maximumTLSVersion = .tlsv12
    case nil: break
    }
    return try NIOSSLContext(configuration: configuration)
  }
}
