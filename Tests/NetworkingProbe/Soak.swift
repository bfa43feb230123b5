import Foundation
import HTTPTypes
import Logging
import Networking
import Synchronization
import TestSupport

/// Many requests through two sessions, many of which are ended in one way or another.
struct Soak: Sendable {
  /// The outcome of all requests.
  struct Report: Encodable {
    var seed: UInt64 = 0
    /// The number of requests for each way of ending.
    var endings: [String: Int] = [:]
    /// Descriptions of endings that should not occur.
    var faults: [String] = []
    var descriptors = Usage()
    var sockets = Usage()
    /// Resident memory in bytes, after every thousand requests.
    var resident: [Int] = []
    /// The growth of resident memory, by least squares.
    var bytesPerRequest = 0.0
    /// The longest time from the cancellation of a task to the end of its request.
    var slowestCancellationMilliseconds = 0.0
    var seconds = 0.0
  }

  /// The number of open descriptors before and after the requests.
  struct Usage: Encodable {
    var before = 0
    var after = 0
  }

  /// The treatment of a request.
  private enum Plan {
    /// It is waited for.
    case patient
    /// Its task is cancelled, after so many microseconds.
    case task(after: Int)
    /// All with its tag are cancelled.
    case tag(after: Int)
    /// All of its session are.
    case session(after: Int)
    /// A part of its body is read.
    case glance
  }

  private struct Step {
    let plan: Plan
    let path: String
    let session: Int
    let number: Int
  }

  private static let workers = 24
  private static let sampling = 1_000

  let requests: Int
  let seed: UInt64

  func run() async throws -> Report {
    var report = Report()
    report.seed = seed
    let server = try await SmallServer()
    // What a process makes once and keeps is there before anything is counted.
    let listening = try ProcessUsage.sockets()
    let warm = sessions()
    for session in warm {
      _ = try await session.send(try request("/", server))
      await session.shutdown()
    }
    try await settle(sockets: listening)
    report.descriptors.before = try ProcessUsage.descriptors()
    report.sockets.before = try ProcessUsage.sockets()
    let sessions = sessions()
    let log = SoakLog(every: Self.sampling)
    let begin = ContinuousClock.now
    try await send(steps(), sessions, server, log)
    report.seconds = (ContinuousClock.now - begin) / .seconds(1)
    for session in sessions { await session.shutdown() }
    try await settle(sockets: report.sockets.before)
    report.descriptors.after = try ProcessUsage.descriptors()
    report.sockets.after = try ProcessUsage.sockets()
    (report.endings, report.faults, report.resident) = log.content
    report.slowestCancellationMilliseconds = log.slowestCancellation / .milliseconds(1)
    report.bytesPerRequest = Self.slope(report.resident.map(Double.init)) / Double(Self.sampling)
    try await server.stop()
    return report
  }

  private func sessions() -> [Session] {
    ["left", "right"].map { name in
      var configuration = SessionConfiguration()
      configuration.proxy = .none
      configuration.concurrency = 8
      configuration.retry.attempts = 2
      // Thousands of lines about what was sent again would be all that is written.
      let silent = Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() }
      return Session(name: name, configuration: configuration, logger: silent)
    }
  }

  private func request(_ path: String, _ server: SmallServer) throws -> Request {
    guard let url = URL(string: "http://127.0.0.1:\(server.port)\(path)") else {
      throw CocoaError(.coderInvalidValue)
    }
    return try Request(url: url)
  }

  /// The same for the same seed.
  private func steps() -> [Step] {
    var numbers = SeededNumbers(state: seed)
    return (0..<requests).map { number in
      let delay = Int.random(in: 0...3_000, using: &numbers)
      let plan: Plan =
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<10: .task(after: delay)
        case 10..<14: .tag(after: delay)
        case 14: .session(after: delay)
        case 15..<20: .glance
        default: .patient
        }
      let path =
        switch (plan, Int.random(in: 0..<20, using: &numbers)) {
        case (.patient, 0): "/busy"
        case (.patient, _), (.glance, _): "/"
        case (_, 0..<10): "/hang"
        default: "/"
        }
      return Step(
        plan: plan, path: path, session: Int.random(in: 0...1, using: &numbers), number: number)
    }
  }

  private func send(
    _ steps: [Step], _ sessions: [Session], _ server: SmallServer, _ log: SoakLog
  ) async throws {
    let next = Mutex(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.workers {
        group.addTask { @Sendable in
          while true {
            let index = next.withLock { next in
              defer { next += 1 }
              return next
            }
            guard index < steps.count else { return }
            let step = steps[index]
            try await send(step, sessions[step.session], server, log)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func send(
    _ step: Step, _ session: Session, _ server: SmallServer, _ log: SoakLog
  ) async throws {
    var request = try request(step.path, server)
    let tag = RequestTag("\(step.number)")
    request.tag = tag
    let isGlance = if case .glance = step.plan { true } else { false }
    let sending = Task { [request] in
      guard isGlance else { return try await session.send(request).head.status.code }
      let response = try await session.stream(request)
      for try await _ in response.body { break }
      return response.head.status.code
    }
    var cancelledAt: ContinuousClock.Instant?
    switch step.plan {
    case .patient, .glance: break
    case .task(let delay):
      try await Task.sleep(for: .microseconds(delay))
      cancelledAt = .now
      sending.cancel()
    case .tag(let delay):
      // Until it takes effect: a request that has not begun cannot be cancelled by its tag.
      try await repeatUntilOver(sending, every: delay) { session.cancel(tag) }
    case .session(let delay):
      try await repeatUntilOver(sending, every: delay) { session.cancelAll() }
    }
    let result = await sending.result
    if let cancelledAt { log.cancelled(within: cancelledAt.duration(to: .now)) }
    do {
      log.add("\(try result.get())", of: step.path)
    } catch is CancellationError {
      log.add(
        cancelledAt == nil ? "FOREIGN CancellationError" : "CancellationError", of: step.path)
    } catch SessionError.cancelled(session: session.name) {
      log.add("cancelled", of: step.path)
    } catch {
      log.add("FAILED \(error)", of: step.path)
    }
  }

  private func repeatUntilOver(
    _ sending: Task<Int, any Error>, every delay: Int, _ cancel: @Sendable () -> Void
  ) async throws {
    let isOver = Mutex(false)
    async let over: Void = {
      _ = await sending.result
      isOver.withLock { $0 = true }
    }()
    repeat {
      try await Task.sleep(for: .microseconds(delay))
      cancel()
    } while !isOver.withLock { $0 }
    await over
  }

  /// Connections end a moment after those who used them.
  private func settle(sockets: Int) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while try ProcessUsage.sockets() > sockets, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private static func slope(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let middle = Double(values.count - 1) / 2
    let mean = values.reduce(0, +) / Double(values.count)
    let offsets = values.indices.map { Double($0) - middle }
    let above = zip(offsets, values).map { $0 * ($1 - mean) }.reduce(0, +)
    return above / offsets.map { $0 * $0 }.reduce(0, +)
  }
}

/// The outcomes of the requests so far.
private final class SoakLog: Sendable {
  private struct State {
    var count = 0
    var endings: [String: Int] = [:]
    var faults: [String] = []
    var resident: [Int] = []
    var slowestCancellation = Duration.zero
  }

  private let every: Int
  private let state = Mutex(State())

  init(every: Int) {
    self.every = every
  }

  var content: (endings: [String: Int], faults: [String], resident: [Int]) {
    state.withLock { ($0.endings, $0.faults, $0.resident) }
  }

  var slowestCancellation: Duration { state.withLock { $0.slowestCancellation } }

  func cancelled(within duration: Duration) {
    state.withLock { $0.slowestCancellation = max($0.slowestCancellation, duration) }
  }

  func add(_ ending: String, of path: String) {
    // Nobody gets the whole of half an answer; a busy server is busy also the second time.
    let isGood =
      switch ending {
      case "200": path == "/"
      case "503": path == "/busy"
      default: ["CancellationError", "cancelled"].contains(ending)
      }
    state.withLock { state in
      state.count += 1
      state.endings[ending, default: 0] += 1
      if !isGood, state.faults.count < 10 { state.faults.append("\(path): \(ending)") }
      if state.count % every == 0 { state.resident.append((try? ProcessUsage.resident()) ?? 0) }
    }
  }
}

/// SplitMix64: the same numbers for the same seed.
private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
