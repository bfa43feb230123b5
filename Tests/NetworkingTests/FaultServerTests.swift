import Foundation
import HTTPTypes
import Networking
import TestSupport
import Testing

/// The servers that the other tests lean on.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct FaultServerTests {
  private func session(_ adjust: (inout SessionConfiguration) -> Void = { _ in }) -> Session {
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    adjust(&configuration)
    return Session(name: "faults", configuration: configuration)
  }

  private func request(_ url: String) throws -> Request {
    try Request(url: try #require(URL(string: url)))
  }

  @Test("one connection serves many requests, each answered by its path or by its order")
  func keptConnection() async throws {
    var script = FaultScript(responses: [[.response("201 One")], [.response("202 Two")]])
    script.paths["/a"] = [.response(fields: ["A: b"], body: "a")]
    let server = try await FaultServer(script)
    let session = session()
    var statuses: [Int] = []
    for path in ["/a?b", "/x", "/a", "/y", "/z"] {
      statuses.append(try await session.send(request(server.url + path)).head.status.code)
    }
    #expect(statuses == [200, 201, 200, 202, 202])
    #expect(server.acceptedConnections == 1 && server.openConnections == 1)
    #expect(try #require(server.requests.first).hasPrefix("GET /a?b HTTP/1.1\r\n"))
    await session.shutdown()
    try await server.openConnections(become: 0)
  }

  @Test("a step waits for its gate, and opens one to report its progress")
  func gates() async throws {
    let (reached, released) = (Gate(), Gate())
    let server = try await FaultServer(
      FaultScript(otherwise: [.open(reached), .pause(until: released), .ok]))
    let session = session()
    let request = try request(server.url)
    let answer = Task { try await session.send(request) }
    await reached.wait()
    #expect(server.openConnections == 1 && server.requests.count == 1)
    released.open()
    #expect(try await answer.joined.head.status.code == 200)
    await session.shutdown()
  }

  @Test("bodies are recorded with their requests, and handshakes are counted")
  func records() async throws {
    let certificates = try TestCertificates()
    let server = try await FaultServer(FaultScript(), tls: .init(try certificates.leaf()))
    let session = session { $0.extraCACertificates = [certificates.authorityFile] }
    for host in ["127.0.0.1", "localhost"] {
      let url = try #require(URL(string: "https://\(host):\(server.port)/"))
      _ = try await session.send(Request(method: .post, url: url, body: Array("body".utf8)))
    }
    #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.hasSuffix("body") })
    #expect(server.completedHandshakes == 2)
    await session.shutdown()
  }

  @Test("a bomb is a good gzip file of the size it says", arguments: [1, 5_000, 3_000_000])
  func bomb(size: Int) async throws {
    let bomb = GzipBomb(size: size)
    #expect(bomb.size >= size && bomb.compressedSize < 60 + size / 1_000)
    let head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.compressedSize)\r\n\r\n"
    let server = try await FaultServer(FaultScript(otherwise: [.send(Bytes(head))] + bomb.steps))
    let session = session { $0.maximumDecompressionRatio = 2_000 }
    let body = try await session.send(request(server.url)).body
    #expect(body.count == bomb.size && body.allSatisfy { $0 == 0 })
    await session.shutdown()
  }

  // A process of its own: the sockets of this one are those of all tests. It counts no other
  // descriptors: a sanitizer opens some when it likes.
  @Test("a stopped server leaves no socket, whatever its connections were doing")
  func stopping() async {
    await #expect(processExitsWith: .success) {
      // What the process that began this one left open.
      let inherited = try ProcessUsage.sockets()
      for fault in [.noHead, .handshakeHangs, .endlessBody, .connectHangs] as [WireFault] {
        let certificates = try TestCertificates()
        let server = try await FaultServer(fault, tls: .init(try certificates.leaf()))
        let asking = Task {
          try await outcome(at: server) {
            $0.extraCACertificates = [certificates.authorityFile]
          }
        }
        if fault != .connectHangs { try await server.openConnections(become: 1) }
        #expect(try ProcessUsage.sockets() > inherited)
        await server.stop()
        asking.cancel()
        // Cancelled, it may not have waited for the server to see its connection end.
        _ = await asking.result
        try await eventually("all sockets are closed") {
          try ProcessUsage.sockets() <= inherited
        }
      }
    }
  }
}
