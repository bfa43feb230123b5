import Foundation
import HTTPTypes
import Networking
import Synchronization
import SystemSupport
import TestSupport

/// The stage of a request at its cancellation.
enum CancellationStage: String, CaseIterable, Sendable {
  case slot
  case suspension
  case rate
  case token
  case deafToken
  case connect
  case handshake
  case head
  case body
  case backoff
  case upload
  case link
  case networkLink
  case stream
  case download

  /// True if the request must not reach its server, however late the holder releases it.
  var isBeforeTheWire: Bool {
    [.slot, .suspension, .rate, .token, .deafToken, .link, .networkLink].contains(self)
  }

  /// True if no request has a token before the test lets the renewal end.
  var isBeforeTheToken: Bool { self == .token || self == .deafToken }

  /// The number of other requests of its session that run meanwhile.
  var neighbours: Int { [.slot, .rate].contains(self) ? 2 : 1 }
}

/// The cause of a cancellation.
enum CancellationWay: String, CaseIterable, Sendable {
  case task
  case session
  case tag
  case shutdown

  /// True if the session's other requests end with it.
  var endsNeighbours: Bool { self == .session || self == .shutdown }
}

/// A request that is held at a stage, with concurrent requests that must be unaffected.
struct CancellationScene: Sendable {
  /// The end of a request, as text.
  typealias Ending = String

  let stage: CancellationStage
  let clock = ManualClock()
  let authorizer: SharedRenewal
  let link = HangingLink(path: "/held")
  let session: Session
  /// Another session, with the same authorizer.
  let other: Session
  /// Answers everything; `/wait` and `/again` only when the test lets it.
  let server: FaultServer
  let waiting = Gate()
  let again = Gate()

  private let held: Held
  private let reached = Gate()
  private let reading = Gate()
  /// Lets the server end a handshake that hangs, which a cancelled client cannot.
  private let hung = Gate()
  private let upload = EndlessUpload()
  private let folder: TemporaryDirectory

  /// The server of the request that is cancelled.
  private enum Held: Sendable {
    case faulty(FaultServer)
    case deaf(DeafServer)

    var url: String {
      switch self {
      case .faulty(let server): server.url
      case .deaf(let server): server.url
      }
    }
    var openConnections: Int {
      switch self {
      case .faulty(let server): server.openConnections
      case .deaf(let server): server.openConnections
      }
    }
    var acceptedConnections: Int {
      switch self {
      case .faulty(let server): server.acceptedConnections
      case .deaf(let server): server.acceptedConnections
      }
    }
  }

  init(_ stage: CancellationStage) async throws {
    self.stage = stage
    folder = try TemporaryDirectory()
    authorizer = SharedRenewal(heedsCancellation: stage != .deafToken)
    if !stage.isBeforeTheToken { authorizer.gate.open() }
    server = try await FaultServer(
      FaultScript([
        "/wait": [.pause(until: waiting), .ok], "/again": [.pause(until: again), .ok],
      ]))
    held =
      if stage == .upload {
        .deaf(try await DeafServer())
      } else {
        .faulty(try await FaultServer(Self.script(stage, reached, hung)))
      }
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.concurrency = stage == .rate ? 3 : 2
    configuration.timeout.idle = .seconds(1_000)
    configuration.timeout.request = .seconds(2_000)
    // The test cancels the request before that, however slow the machine is.
    configuration.timeout.connect = .seconds(1_000)
    if stage == .rate {
      configuration.rateLimits = [RateLimit(requests: 2, interval: .seconds(77))]
    }
    session = Session(
      name: "held", configuration: configuration, authorizer: authorizer,
      middleware: stage == .link ? [link] : [],
      networkMiddleware: stage == .networkLink ? [link] : [], logger: .silent,
      time: TimeSource(clock, wall: { Date() }, random: { 1 }))
    other = Session(
      name: "other", configuration: SessionConfiguration(), authorizer: authorizer,
      logger: .silent)
  }

  private static func script(
    _ stage: CancellationStage, _ reached: Gate, _ hung: Gate
  ) -> FaultScript {
    switch stage {
    case .connect: return WireFault.connectHangs.script
    case .handshake:
      var script = FaultScript(onConnect: [.pause(until: hung), .close])
      script.claimsTLS = true
      return script
    case .backoff:
      let fields = ["Retry-After: 30", "Connection: close"]
      return FaultScript(otherwise: [.response("503 Busy", fields: fields), .close])
    case .body, .stream, .download:
      let start: Bytes = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nfour"
      return FaultScript(otherwise: [.send(start), .open(reached), .hang])
    default: return FaultScript(otherwise: [.hang])
    }
  }

  /// Begins a request, which comes as far as it can before this returns.
  func begin(_ session: Session, _ path: String, tag: RequestTag) throws -> Task<Ending, Never> {
    let request = try request(server.url + path, tag: tag)
    return Task.immediate { await Self.ending { try await session.send(request).head.status.code } }
  }

  /// Begins the request that will be cancelled.
  func beginHeld() throws -> Task<Ending, Never> {
    var request = try request(held.url + "/held", tag: "held")
    switch stage {
    case .stream:
      return Task.immediate { [request, session, reading = self.reading] in
        await Self.ending {
          for try await _ in try await session.stream(request).body { reading.open() }
          return 200
        }
      }
    case .download:
      return Task.immediate { [request, session, path = folder.file("file")] in
        await Self.ending { try await session.download(request, to: path).size }
      }
    case .upload:
      request = try Request(method: .post, url: request.url, body: .stream(upload))
      request.tag = "held"
    default: break
    }
    return Task.immediate { [request, session] in
      await Self.ending { try await session.send(request).head.status.code }
    }
  }

  /// Waits until the request is held at the stage.
  func arrive() async throws {
    switch stage {
    case .slot, .suspension: break
    case .rate: try await clock.sleeper(of: .seconds(77))
    case .token, .deafToken:
      try await eventually("all wait for the token") {
        authorizer.requests == stage.neighbours + 2
      }
    case .connect:
      try await eventually("it is about to connect") {
        session.statistics.requests == stage.neighbours + 1
      }
    case .handshake:
      try await eventually("the connection stands") { held.openConnections == 1 }
    case .head:
      guard case .faulty(let server) = held else { return }
      try await server.requests(become: 1)
    case .body: await reached.wait()
    case .backoff: try await clock.sleeper(of: .seconds(30))
    case .upload:
      var taken = -1
      try await eventually("nothing more is taken") {
        defer { taken = upload.taken.value }
        return upload.taken.value > 0 && taken == upload.taken.value
      }
    case .link, .networkLink: await link.entered.wait()
    case .stream: await reading.wait()
    case .download:
      try await eventually("the beginning is written") {
        (try? Data(contentsOf: URL(filePath: folder.file("file.part"))).count) == 4
      }
    }
    // What still has to be done on other threads is, by the time that others were served.
    for _ in 0..<3 {
      var request = try request(server.url, tag: "quick")
      request.authorization = .none
      _ = try await other.send(request)
    }
  }

  /// Lets go of everything that hangs, and waits until nothing of the request is left.
  func release() async throws {
    session.resume()
    authorizer.gate.open()
    waiting.open()
    link.gate.open()
    hung.open()
    if case .deaf(let server) = held { server.listen() }
    if [.link, .networkLink].contains(stage) {
      try await eventually("the link has gone on") { link.departures == 1 }
    }
    try await eventually("all have had their token") { authorizer.answers == authorizer.requests }
    try await eventually("its connection is closed") { held.openConnections == 0 }
  }

  /// True if its server has seen any part of it.
  var wasSent: Bool { held.acceptedConnections > 0 }

  func stop() async {
    await session.shutdown()
    await other.shutdown()
    await server.stop()
    switch held {
    case .faulty(let server): await server.stop()
    case .deaf(let server): await server.stop()
    }
  }

  private func request(_ url: String, tag: RequestTag) throws -> Request {
    guard let url = URL(string: url) else { throw CocoaError(.coderInvalidValue) }
    var request = try Request(url: url)
    request.tag = tag
    return request
  }

  private static func ending(_ body: () async throws -> Int) async -> Ending {
    do {
      return "\(try await body())"
    } catch is CancellationError {
      return "CancellationError"
    } catch SessionError.cancelled(let session) {
      return "cancelled(\(session))"
    } catch {
      return "\(error)"
    }
  }
}
