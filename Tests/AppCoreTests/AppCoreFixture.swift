import Authentication
import Foundation
import Networking
import Providers
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import AppCore

extension CoreConfiguration {
  /// Reads a configuration as the file `config.yaml`.
  init(
    yaml: String, _ environment: [String: String] = [:], providers: [any Provider] = []
  ) throws {
    self = try ConfigurationLoader(environment: environment, providers: providers)
      .load(yaml: yaml, source: "config.yaml")
  }
}

extension ApplicationCore {
  /// Creates a core with files below a folder, which the end of a test of a `.cleansUp` suite
  /// closes.
  convenience init(
    _ configuration: CoreConfiguration, in folder: TemporaryDirectory,
    store: any SecretStore = InMemorySecretStore(),
    httpObserver: (@Sendable (HTTPExchange) -> Void)? = nil
  ) throws {
    try self.init(
      configuration: configuration, secretStore: store,
      directories: Directories(below: folder.path), httpObserver: httpObserver,
      makeLogger: { _ in .silent })
    CleanUp.atEnd { [self] in
      // The folder outlives the core.
      withExtendedLifetime(folder) {}
      do { try await close() } catch { Issue.record("the core cannot be closed: \(error)") }
    }
  }
}

extension SandboxServer {
  /// Starts a server, which the end of a test of a `.cleansUp` suite stops.
  static func untilEnd(_ configuration: SandboxConfiguration) async throws -> SandboxServer {
    let server = try await start(configuration)
    CleanUp.atEnd { await server.stop() }
    return server
  }
}

/// Follows the address and its redirect, as a browser at an auto-approving server does.
struct ApprovingBrowser: AuthenticationDelegate {
  func showAuthorizationPage(_ url: URL) async throws {
    Task {
      let session = Session(name: "browser", configuration: SessionConfiguration())
      _ = try? await session.send(try Request(url: url))
      await session.shutdown()
    }
  }
}

extension ScriptedServer.Step {
  /// A reply with a body, after which the connection ends.
  static func body(_ body: String, status: String = "200 OK") -> Self {
    .reply(
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    )
  }
}

/// Checks that a configuration is refused with an error of this place and these words.
func expectMistake<Value>(
  line: Int? = nil, key: String? = nil, _ words: String = "",
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) {
  let error = #expect(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  guard let error else { return }
  #expect(
    (line == nil || error.line == line) && (key == nil || error.key == key)
      && (words.isEmpty || error.problem.contains(words)), "\(error)",
    sourceLocation: sourceLocation)
}
