import Foundation
import Glibc
import HTTPTypes
import Networking
import TestSupport
import Testing

// Edge case 57
/// The absence of open descriptors after a request that was cancelled or failed.
///
/// Each test has a process of its own: the descriptors of this one are those of all tests.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DescriptorTests {
  @Test("a request that is cancelled returns, wherever it is, and leaves no descriptor open")
  func cancelled() async {
    await #expect(processExitsWith: .success) {
      Self.limitTime()
      // What is made once for all that follow: event loops, threads, certificates.
      for stage in [CancellationStage.head, .download] { try await leave(stage, .task) }
      let before = try ProcessUsage.descriptors()
      for stage in CancellationStage.allCases {
        for way in CancellationWay.allCases {
          try await leave(stage, way)
          try await descriptors(become: before, "after \(stage), cancelled by \(way)")
        }
      }
    }
  }

  /// Ends the process of a test shortly before the test's time limit, which does not reach it.
  private static func limitTime() { alarm(590) }

  @Test("a handshake that fails leaves no descriptor open, however it fails")
  func failedHandshakes() async {
    await #expect(processExitsWith: .success) {
      Self.limitTime()
      let certificates = try TestCertificates()
      let servers = try await faultyServers(certificates)
      try await sendToEach(of: servers, certificates, times: 1)
      let before = try ProcessUsage.descriptors()
      try await sendToEach(of: servers, certificates, times: 10) {
        // The session still lives: what it has given up is closed nevertheless.
        try await descriptors(become: before, "after failed handshakes")
      }
      for server in servers { await server.stop() }
    }
  }

  @Test("a handshake that is cancelled returns, and leaves no descriptor open")
  func cancelledHandshakes() async {
    await #expect(processExitsWith: .success) {
      Self.limitTime()
      try await cancelHandshakes()
      let before = try ProcessUsage.descriptors()
      for _ in 0..<5 {
        try await cancelHandshakes()
        try await descriptors(become: before, "after cancelled handshakes")
      }
    }
  }
}

/// Waits until no more descriptors are open than there were.
private func descriptors(become count: Int, _ when: String) async throws {
  try await eventually("\(count) descriptors \(when)") { try ProcessUsage.descriptors() <= count }
}

/// Cancels a request at a stage that goes on holding it: nothing else lets it return.
private func leave(_ stage: CancellationStage, _ way: CancellationWay) async throws {
  let scene = try await CancellationScene(stage)
  let foreign = try scene.begin(scene.other, "/wait", tag: "held")
  let neighbours = try (0..<stage.neighbours).map { _ in
    try scene.begin(scene.session, "/wait", tag: "neighbour")
  }
  if !stage.isBeforeTheToken { try await scene.server.requests(become: 1 + stage.neighbours) }
  if stage == .suspension { scene.session.suspend() }
  let held = try scene.beginHeld()
  try await scene.arrive()
  var closing: Task<Void, Never>?
  switch way {
  case .task: held.cancel()
  case .session: scene.session.cancelAll()
  case .tag: scene.session.cancel("held")
  case .shutdown: closing = Task { await scene.session.shutdown() }
  }
  let ending = await held.joined
  #expect(ending == (way == .task ? "CancellationError" : "cancelled(held)"), "\(stage)")
  try await scene.release()
  for request in [foreign] + neighbours { _ = await request.joined }
  await closing?.joined
  await scene.stop()
}

/// Servers with which no handshake succeeds.
private func faultyServers(_ certificates: TestCertificates) async throws -> [FaultServer] {
  var servers: [FaultServer] = []
  for kind in TestCertificates.Kind.allCases where kind != .valid {
    servers.append(
      try await FaultServer(FaultScript(), tls: .init(try certificates.leaf(kind))))
  }
  servers.append(
    try await FaultServer(
      FaultScript(), tls: .init(try certificates.leaf(), maximum: .tls11)))
  servers.append(try await FaultServer(.cleartextOnTLSPort))
  for end in [FaultScript.Step.reset, .close, .halfClose] {
    // The end comes immediately, or within an apparent beginning of a handshake.
    for begin in [Bytes([]), Bytes([0x16, 0x03, 0x03, 0x00, 0x7A, 0x02])] {
      var script = FaultScript(onConnect: [.send(begin), end])
      script.claimsTLS = true
      servers.append(try await FaultServer(script))
    }
  }
  return servers
}

/// Sends requests of one session to each server; each of them fails.
private func sendToEach(
  of servers: [FaultServer], _ certificates: TestCertificates, times: Int,
  then check: () async throws -> Void = {}
) async throws {
  var configuration = SessionConfiguration()
  configuration.proxy = .none
  configuration.retry.attempts = 1
  configuration.extraCACertificates = [certificates.authorityFile]
  let session = Session(name: "handshakes", configuration: configuration, logger: .silent)
  for server in servers {
    let request = try Request(url: try #require(URL(string: server.url)))
    for _ in 0..<times {
      let found = await outcome { try await session.send(request) }
      #expect(
        ["untrustedServer", "connectionLost", "connectionFailed"].contains(found), "\(found)")
    }
    #expect(server.requests.isEmpty)
    try await server.openConnections(become: 0)
  }
  try await check()
  await session.shutdown()
}

/// Cancels requests whose handshakes get no answer.
private func cancelHandshakes() async throws {
  let leaving = Gate()
  var script = FaultScript(onConnect: [.pause(until: leaving), .close])
  script.claimsTLS = true
  let server = try await FaultServer(script)
  var configuration = SessionConfiguration()
  configuration.proxy = .none
  configuration.concurrency = 16
  configuration.timeout.connect = .seconds(600)
  let session = Session(name: "handshakes", configuration: configuration, logger: .silent)
  let request = try Request(url: try #require(URL(string: server.url)))
  let requests = (0..<16).map { _ in Task { try await session.send(request) } }
  try await server.openConnections(become: 16)
  for request in requests { request.cancel() }
  // Nothing is ever said to them: to return at all is to return because they were cancelled.
  for request in requests {
    await #expect(throws: CancellationError.self) { _ = try await request.joined }
  }
  // An attempt to connect lasts until it fails or its time is up, and no request waits for it.
  leaving.open()
  try await server.openConnections(become: 0)
  await session.shutdown()
  await server.stop()
}
