import Foundation
import Networking
import TestSupport
import Testing

/// The cause of a connection that could not be made, as a message reports it.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ConnectionCauseTests {
  private func failure(of url: String) async throws -> SessionError? {
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.retry.attempts = 1
    // The resolver decides when a name is not found.
    configuration.timeout.connect = Patience.limit
    configuration.timeout.request = Patience.limit
    let session = Session(name: "test", configuration: configuration)
    let request = try Request(url: try #require(URL(string: url)))
    let error = await sessionError { try await session.send(request) }
    await session.shutdown()
    return error
  }

  @Test("a port without a listener refuses the connection")
  func refused() async throws {
    let port = try ClosedPort()
    let error = try #require(try await failure(of: port.url))
    #expect("\(error)" == "cannot reach \(port.url) (connection refused)")
  }

  @Test("a name without an address is not found")
  func unknownName() async throws {
    // RFC 6761 section 6.4 reserves the name.
    let error = try #require(try await failure(of: "http://appcore.invalid"))
    #expect("\(error)" == "cannot reach http://appcore.invalid (name not found)")
  }
}
