package import Foundation
import Hummingbird
import SystemSupport

/// A loopback authorization server and invoice API that imitates a real provider.
///
/// Every server has its own state; any number may run in one process.
///
/// ```swift
/// var configuration = SandboxConfiguration()
/// configuration.autoApprove = true
/// let sandbox = try await SandboxServer.start(configuration)
/// // … sign in at sandbox.url, list its invoices …
/// await sandbox.stop()
/// ```
package final class SandboxServer: Sendable {
  /// The address of the server, which is also the issuer of its tokens: `http://127.0.0.1:PORT`.
  package let url: URL
  /// The identifier of the public client, for the code flow with PKCE.
  package let clientID: String
  /// The identifier of the confidential client, for the client credentials grant.
  package let machineClientID: String
  /// The secret of the confidential client.
  package let machineClientSecret: String

  let state: SandboxState
  private let listener: Listener
  private let links: Listener

  private init(url: URL, state: SandboxState, listener: Listener, links: Listener) {
    self.url = url
    clientID = state.oauth.publicClient.id
    machineClientID = state.oauth.machineClient.id
    machineClientSecret = state.oauth.machineSecret
    self.state = state
    self.listener = listener
    self.links = links
  }

  /// Reads or generates the invoices and listens on 127.0.0.1.
  ///
  /// The server runs until ``stop()`` is called or its last reference is released.
  ///
  /// - Throws: ``SandboxError``.
  package static func start(
    _ configuration: SandboxConfiguration = SandboxConfiguration()
  ) async throws -> SandboxServer {
    try configuration.validate()
    let (invoices, security, kept) = try await BlockingWork.run {
      (
        try configuration.loadInvoices(), try configuration.certificate.map(TransportSecurity.init),
        try configuration.stateFile.flatMap(KeptState.read)
      )
    }
    let state = SandboxState(configuration, invoices: invoices, kept: kept)
    let file = configuration.stateFile.map(StateFile.init)
    let port = configuration.port == 0 ? kept?.port ?? 0 : configuration.port
    let scheme = configuration.certificate == nil ? "http" : "https"
    // Another port is another origin, so that a client must keep its credentials from it.
    let links = try await Listener.open(
      linkRouter(for: state), security: security ?? .none, port: 0, connections: state.connections
    ) { port in
      state.links.origin = "\(scheme)://127.0.0.1:\(port)"
    }
    let listener = try await Listener.open(
      router(for: state, file), security: security ?? .none, port: port,
      connections: state.connections
    ) { port in
      state.issuer = "\(scheme)://127.0.0.1:\(port)"
    }
    guard let url = URL(string: state.issuer) else {
      throw SandboxError.invalidConfiguration(option: "port", reason: "gives no URL")
    }
    try await file?.save(state)
    return SandboxServer(url: url, state: state, listener: listener, links: links)
  }

  /// Waits until no connection was open for a while.
  ///
  /// - Throws: `CancellationError`.
  package func idle(for time: Duration) async throws {
    while let rest = state.connections.rest(of: time) { try await Task.sleep(for: rest) }
  }

  /// Stops listening and closes every connection; later calls do nothing.
  package func stop() async {
    await listener.close()
    await links.close()
  }

  private static func linkRouter(for state: SandboxState) -> Router<SandboxContext> {
    let router = Router(context: SandboxContext.self)
    router.add(middleware: CountingMiddleware(counter: state.counter))
    router.add(middleware: CredentialsMiddleware(links: state.links))
    router.add(middleware: FaultMiddleware(state: state))
    router.add(middleware: LatencyMiddleware(state: state))
    state.links.addRoutes(to: router)
    return router
  }

  private static func router(
    for state: SandboxState, _ file: StateFile?
  ) -> Router<SandboxContext> {
    let router = Router(context: SandboxContext.self)
    router.add(middleware: CountingMiddleware(counter: state.counter))
    router.add(middleware: OrganisationMiddleware(counter: state.organisations))
    router.add(middleware: FaultMiddleware(state: state))
    router.add(middleware: LatencyMiddleware(state: state))
    if let file { router.add(middleware: StateMiddleware(state: state, file: file)) }
    if let description = state.configuration.description {
      DescribedRoutes(description: description, state: state).add(to: router)
    } else {
      state.configuration.provider.addRoutes(to: router, state)
    }
    OAuthRoutes(state: state).add(to: router)
    ControlRoutes(state: state).add(to: router)
    return router
  }
}
