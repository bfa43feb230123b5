import Foundation
import InMemoryLogging
import Logging
import Networking
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import AppCore

/// Requests that several processes count together, in a file.
@Suite(.timeLimit(.minutes(10))) struct RequestCountTests {
  private static let day = RateLimit(requests: 3, interval: .seconds(86_400))
  private static let hour = RateLimit(requests: 2, interval: .seconds(3_600))
  /// In the middle of five minutes.
  private static let start: Int64 = 1_700_000_100 + 60

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Long enough for a machine that does much else.
  private static let patience = Duration.seconds(240)

  private func file(_ path: String, at seconds: Int64 = start) -> RequestCountFile {
    RequestCountFile(path: path, log: .silent, time: Self.time(at: seconds))
  }

  private static func time(at seconds: Int64) -> TimeSource {
    TimeSource(ContinuousClock(), wall: { Date(timeIntervalSince1970: Double(seconds)) })
  }

  private func add(
    to file: RequestCountFile, within limits: RateLimit...,
    waitingAtMost patience: Duration = patience
  ) async throws -> Duration? {
    try await file.add(within: limits, waitingAtMost: patience)
  }

  @Test("a request of one process counts in another until it leaves the interval")
  func together() async throws {
    let time = Mutex(Self.start)
    func process() -> RequestCountFile {
      file(folder.file("counts"), at: time.withLock { $0 })
    }
    for _ in 0..<3 {
      #expect(try await add(to: process(), within: Self.day) == nil)
    }
    let wait = try await add(to: process(), within: Self.day)
    // Until the last of the five minutes is a day ago.
    #expect(wait == .seconds(86_400 + 240))
    time.withLock { $0 += 86_400 + 239 }
    #expect(try await add(to: process(), within: Self.day) == .seconds(1))
    time.withLock { $0 += 1 }
    #expect(try await add(to: process(), within: Self.day) == nil)
  }

  @Test("the longest wait of several limits counts, and requests that do not wait count as well")
  func several() async throws {
    let file = file(folder.file("counts"))
    try await file.add(waitingAtMost: Self.patience)
    #expect(try await add(to: file, within: Self.day, Self.hour) == nil)
    #expect(try await add(to: file, within: Self.day, Self.hour) == .seconds(3_600 + 240))
    try await file.add(waitingAtMost: Self.patience)
    #expect(try await add(to: file, within: Self.hour, Self.day) == .seconds(86_400 + 240))
  }

  @Test("many concurrent requests lose no count")
  func concurrent() async throws {
    let file = file(folder.file("counts"))
    let limit = RateLimit(requests: 20, interval: .seconds(86_400))
    let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<30 { group.addTask { try await add(to: file, within: limit) == nil } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(granted == 20)
  }

  @Test("only counts and times are in the file, and its owner alone can read it")
  func content() async throws {
    let path = folder.file("counts")
    let file = file(path)
    try await file.add(waitingAtMost: Self.patience)
    try await file.add(waitingAtMost: Self.patience)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "appcore requests 1\n1700000100 2\nend\n")
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(rights as? Int == 0o600)
  }

  @Test(
    "a damaged file, or one of another version, begins anew",
    arguments: [
      "", "x", "appcore requests 2\n1700000100 9\nend\n", "appcore requests 1\n1700000100 9\n",
      "appcore requests 1\n1700000100\nend\n", "appcore requests 1\n1700000101 9\nend\n",
      "appcore requests 1\n1700000100 -9\nend\n",
      "appcore requests 1\n1700000100 9\n1700000100 9\nend\n",
      "appcore requests 1\n1700000100 99999999999999999999\nend\n",
    ])
  func damaged(text: String) async throws {
    let path = try folder.write(text, to: "counts")
    let file = file(path)
    #expect(try await add(to: file, within: Self.hour) == nil)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "appcore requests 1\n1700000100 1\nend\n")
  }

  @Test("counts that are dated ahead, as after a clock was set back, delay no request")
  func ahead() async throws {
    let path = try folder.write("appcore requests 1\n1800000000 9\nend\n", to: "counts")
    let file = file(path)
    #expect(try await add(to: file, within: Self.hour) == nil)
  }

  @Test("counts older than a day are forgotten")
  func forgotten() throws {
    var table = RequestCountTable()
    for hour in 0..<60 { table.add(at: Self.start + Int64(hour) * 3_600, within: []) }
    #expect(table.text.split(separator: "\n").count == 2 + 25)
    #expect(RequestCountTable(text: table.text) == table)
  }

  @Test("no request is sent uncounted while another process holds the count")
  func held() async throws {
    let (path, file) = (folder.file("counts"), file(folder.file("counts")))
    let lock = try await HeldLock.acquire(at: path + ".lock", timeout: .zero)
    await #expect(throws: RequestCountsHeld.self) {
      try await add(to: file, within: Self.day, waitingAtMost: .milliseconds(20))
    }
    await #expect(throws: RequestCountsHeld.self) {
      try await file.add(waitingAtMost: .milliseconds(20))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    // A request that is ended waits no longer.
    let waiting = Task { try await add(to: file, within: Self.day) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.joined }
    let patient = Task { try await add(to: file, within: Self.day) }
    lock.release()
    #expect(try await patient.joined == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("1700000100 1\n"))
  }

  @Test("a file that cannot be locked is read, and new requests are counted in memory")
  func unlockable() async throws {
    let path = try folder.write("appcore requests 1\n1700000100 2\nend\n", to: "counts")
    // Not even root can create the file, as in a read-only folder.
    try FileManager.default.createDirectory(
      atPath: path + ".lock", withIntermediateDirectories: false)
    let file = file(path)
    #expect(try await add(to: file, within: Self.day) == nil)
    #expect(try await add(to: file, within: Self.day) == .seconds(86_400 + 240))
    // Once it can be, what was counted meanwhile is written.
    try FileManager.default.removeItem(atPath: path + ".lock")
    try await file.add(waitingAtMost: Self.patience)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "appcore requests 1\n1700000100 4\nend\n")
    #expect(try await add(to: self.file(path), within: Self.day) == .seconds(86_400 + 240))
  }

  @Test("requests are counted in memory if no file can be written, and the log says so once")
  func unwritable() async throws {
    let handler = InMemoryLogHandler()
    let log = Logger(label: "test") { _ in handler }
    let file = RequestCountFile(
      path: folder.file("missing/counts"), log: log, time: Self.time(at: Self.start))
    for _ in 0..<2 { #expect(try await add(to: file, within: Self.hour) == nil) }
    #expect(try await add(to: file, within: Self.hour) == .seconds(3_600 + 240))
    #expect(
      handler.entries.map { "\($0.message)" }
        == ["counting requests in memory; other processes do not see them"])
  }

  @Test("the warning about a file that cannot be written names the cause")
  func cause() async throws {
    let handler = InMemoryLogHandler()
    // Nobody can put a file in the place of a folder.
    try FileManager.default.createDirectory(
      atPath: folder.file("counts"), withIntermediateDirectories: false)
    let file = RequestCountFile(
      path: folder.file("counts"), log: Logger(label: "test") { _ in handler },
      time: Self.time(at: Self.start))
    try await file.add(waitingAtMost: Self.patience)
    #expect(
      handler.entries.map { $0.metadata["error"] }
        == ["cannot write the file: Is a directory"])
  }
}
