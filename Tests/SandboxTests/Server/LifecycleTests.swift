import Foundation
import Networking
import SystemSupport
import TestSupport
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct LifecycleTests {
  @Test("a stopped server no longer answers, and its port is free for the next")
  func restart() async throws {
    var configuration = SandboxConfiguration()
    configuration.source = .generated(invoices: 1, seed: 1)
    let first = try await SandboxServer.start(configuration)
    let caller = SandboxCaller(first)
    #expect(try await caller.get("/_sandbox/stats").status == 200)
    await first.stop()
    await first.stop()
    await #expect(throws: SessionError.self) { try await caller.get("/_sandbox/stats") }
    configuration.port = try #require(first.url.port)
    let second = try await SandboxServer.start(configuration)
    #expect(second.url == first.url)
    #expect(try await caller.get("/_sandbox/stats").status == 200)
    await second.stop()
  }

  @Test("stopping the server cuts requests that wait for their latency")
  func stopDuringLatency() async throws {
    let (server, caller) = try await startSandbox { $0.latency = .seconds(3_600) }
    let hanging = Task { try await caller.get("/connections") }
    // Controls do not wait.
    let control = try await caller.get("/_sandbox/stats")
    #expect(control.status == 200)
    await server.stop()
    await #expect(throws: SessionError.self) { try await hanging.joined }
  }

  @Test("stopping the server cuts idle connections")
  func stopWithIdleConnection() async throws {
    let (server, _) = try await startSandbox()
    let port = try #require(server.url.port)
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let connection = Task {
      try await BlockingWork.run {
        defer { continuation.finish() }
        let connection = try RawConnection(port: port)
        try connection.write("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
        while case let bytes = try connection.read(), !bytes.isEmpty { continuation.yield(bytes) }
      }
    }
    var iterator = pieces.makeAsyncIterator()
    let answer = await iterator.next()
    #expect(answer?.starts(with: "HTTP/1.1 404".utf8) == true)
    await server.stop()
    // The end of the stream, not a reset.
    try await connection.value
  }

  @Test("a server can be stopped while connections are being opened")
  func stopWhileConnecting() async throws {
    for _ in 0..<12 {
      let (server, caller) = try await startSandbox()
      let calls = (0..<12).map { _ in
        Task { try await caller.get("/connections").status }
      }
      await server.stop()
      for call in calls {
        // Each is answered or cut; none hangs.
        if case .success(let status) = await call.result { #expect(status == 401) }
      }
    }
  }

  @Test("a port that is taken is a typed error")
  func portTaken() async throws {
    let (server, _) = try await startSandbox()
    var configuration = SandboxConfiguration()
    configuration.port = try #require(server.url.port)
    let error = await #expect(throws: SandboxError.self) {
      try await SandboxServer.start(configuration)
    }
    guard case .cannotListen(let port, _) = error else {
      Issue.record("not cannotListen")
      return
    }
    #expect(port == server.url.port)
    #expect(error?.description.hasPrefix("port \(port) is in use") == true)
  }

  @Test("configuration values outside their limits are refused")
  func validation() async throws {
    let changes: [(inout SandboxConfiguration) -> Void] = [
      { $0.port = -1 }, { $0.pageSize = 0 }, { $0.pageSize = 1_001 }, { $0.tenants = 0 },
      { $0.tenants = 10_001 }, { $0.tenantsPerLogin = 2 },
      { $0.tokenLifetime = .zero }, { $0.latency = .seconds(-1) }, { $0.clientID = "" },
      { $0.clientID = "sandbox-machine" }, { $0.clientSecret = "" },
      { $0.source = .generated(invoices: -1, seed: 0) },
    ]
    for change in changes {
      var configuration = SandboxConfiguration()
      change(&configuration)
      let error = await #expect(throws: SandboxError.self) {
        try await SandboxServer.start(configuration)
      }
      guard case .invalidConfiguration = error else {
        Issue.record("not invalidConfiguration")
        continue
      }
    }
  }

  @Test("two servers know nothing of each other's tokens, and give the same invoices for a seed")
  func independence() async throws {
    let (one, oneCaller) = try await startSandbox()
    let (other, otherCaller) = try await startSandbox()
    #expect(one.invoices() == other.invoices())
    #expect(one.tenantIDs == other.tenantIDs)
    let token = try await oneCaller.machineToken().accessToken
    #expect(try await otherCaller.invoices(token: token).status == 401)
    #expect(one.machineClientSecret != other.machineClientSecret)
  }
}
