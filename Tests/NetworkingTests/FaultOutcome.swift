import Foundation
import HTTPTypes
import Networking
import TestSupport

/// Returns the end of a request, short enough for a table.
func outcome(of send: () async throws -> Response) async -> String {
  do {
    return "\(try await send().head.status.code)"
  } catch let error as SessionError {
    return Optional(error).kind
  } catch {
    return "untyped: \(error)"
  }
}

/// Sends one GET by a session of its own, which is closed, and sees to it that nothing stays open.
func outcome(
  at server: FaultServer, path: String = "/", _ adjust: (inout SessionConfiguration) -> Void
) async throws -> String {
  guard let url = URL(string: server.url + path) else { return "no URL: \(server.url)" }
  var configuration = SessionConfiguration()
  configuration.retry.attempts = 1
  adjust(&configuration)
  let session = Session(name: "faults", configuration: configuration)
  let request = try Request(url: url)
  let found = await outcome { try await session.send(request) }
  await session.shutdown()
  try await server.openConnections(become: 0)
  return found
}

extension SessionConfiguration {
  /// A bound for each wait that a fault is meant to reach, and much room for all others: a busy
  /// machine must not turn one fault into another.
  mutating func bound(_ fault: WireFault) {
    maximumResponseSize = 1 << 20
    switch fault {
    case .connectHangs, .handshakeHangs: timeout.connect = .milliseconds(300)
    case .noHead, .stalledHead, .stalledBody, .endlessChunkExtension:
      timeout.idle = .milliseconds(300)
    case .slowHead, .slowBody: timeout.request = .seconds(1)
    // These bytes arrive as fast as possible, so a small limit keeps the test short.
    case .endlessInformational: timeout.request = .milliseconds(300)
    default: break
    }
  }
}
