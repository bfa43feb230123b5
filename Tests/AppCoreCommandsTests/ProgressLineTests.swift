import AppCore
import Foundation
import Models
import Sync
import TestSupport
import Testing

@testable import AppCoreCommands
@testable import Presentation

/// The progress of a sync as text, and when it is written.
@Suite(.timeLimit(.minutes(10))) struct ProgressLineTests {
  private static let half = SyncProgress.stored(
    SyncProgress.Position(
      pages: 51, records: 12_750, position: 12_750, total: 100_000, recordsPerSecond: 1_190.4,
      timeRemaining: .seconds(73)))

  @Test(
    "a line holds as many facts as the terminal has room for, and leaves the last column free",
    arguments: [
      (10, "Invoices"), (40, "Invoices  12 750 / 100 000  12 %"),
      (44, "Invoices  12 750 / 100 000  12 %  1 190/s"),
      (80, "Invoices  12 750 / 100 000  12 %  1 190/s  ETA 1:13"),
      (200, "Invoices  12 750 / 100 000  12 %  1 190/s  ETA 1:13"),
    ])
  func widths(columns: Int, text: String) {
    var line = ProgressLine(resource: .invoices, provider: "Xero")
    line.take(Self.half, at: .zero)
    #expect(line.text(at: .zero, columns: columns) == text)
    #expect(line.text(at: .zero, columns: columns).count < columns)
  }

  @Test("a line of one part that is too long ends in an ellipsis")
  func cut() {
    let line = ProgressLine(resource: .invoices, provider: "Xero")
    #expect(line.text(at: .zero, columns: 15) == "Connecting to…")
    #expect(line.text(at: .zero) == "Connecting to Xero…")
  }

  @Test("a line connects only once the other process has ended")
  func otherProcess() {
    var line = ProgressLine(resource: .invoices, provider: "Xero")
    let wait = LockWait(processID: 7, since: nil, limit: .seconds(60))
    line.take(.waitingForProcess(wait), at: .zero)
    #expect(line.text(at: .seconds(1)) == "Waiting for another appcore…")
    line.take(.connecting(provider: "Xero"), at: .seconds(2))
    #expect(line.text(at: .seconds(2)) == "Connecting to Xero…")
  }

  @Test("a wait counts down to its end, and then the line shows the records again")
  func countdown() {
    var line = ProgressLine(resource: .contacts, provider: "Xero")
    line.take(Self.half, at: .zero)
    let now = Timestamp(microsecondsSinceEpoch: 0)
    line.take(.waiting(.init(reason: .rateLimit, duration: .seconds(5), from: now)), at: .zero)
    #expect(line.text(at: .zero) == "Xero asks us to wait: 5 s…")
    #expect(line.text(at: .milliseconds(3_200)) == "Xero asks us to wait: 2 s…")
    #expect(line.text(at: .seconds(5)).hasPrefix("Contacts  12 750 / 100 000"))
    line.take(.waiting(.init(reason: .retry, duration: .seconds(2), from: now)), at: .seconds(6))
    #expect(line.text(at: .seconds(6)) == "Xero does not answer; trying again in 2 s…")
    line.take(.indexing, at: .seconds(9))
    #expect(line.text(at: .seconds(9)) == "Contacts  indexing…")
  }

  private static func event(_ progress: SyncProgress) -> AccountSyncEvent {
    .progress(account: "default", resource: .invoices, progress)
  }

  private static func display(
    _ style: ProgressStyle, _ errors: TextRecorder, _ clock: ManualClock
  ) -> SyncDisplay {
    SyncDisplay(
      style, Terminal(output: TextRecorder(), error: errors, thread: OutputThread()),
      time: clock.source, ProgressLine(resource: .invoices, provider: "Xero"),
      namesAccounts: false)
  }

  @Test("a terminal stays silent for 200 ms, and then shows the reason for the wait")
  func silence() async throws {
    let (clock, errors) = (ManualClock(), TextRecorder(true))
    let (stream, continuation) = AsyncStream.makeStream(of: AccountSyncEvent.self)
    let display = Self.display(.line, errors, clock)
    let shown = Task { await display.follow(stream) { _ in } }
    try await clock.sleeper(of: ProgressTicker.silence)
    #expect(errors.text.isEmpty)
    clock.advance(by: ProgressTicker.silence)
    try await eventually("the line is there") {
      errors.text == "\r\u{1B}[KConnecting to Xero…"
    }
    continuation.finish()
    await shown.joined
    try await eventually("the line is erased") { errors.text.hasSuffix("…\r\u{1B}[K") }
  }

  @Test("a pipe gets a line every 30 seconds, without an escape byte")
  func pipe() async throws {
    let (clock, errors) = (ManualClock(), TextRecorder())
    let (stream, continuation) = AsyncStream.makeStream(of: AccountSyncEvent.self)
    let display = Self.display(.log, errors, clock)
    let shown = Task { await display.follow(stream) { _ in } }
    for number in 1...2 {
      try await clock.sleeper(of: ProgressTicker.interval)
      display.take(Self.event(Self.half))
      clock.advance(by: ProgressTicker.interval)
      try await eventually("a line is there") {
        errors.text.count { $0 == "\n" } == number
      }
    }
    continuation.finish()
    await shown.joined
    #expect(errors.text.hasPrefix("appcore: Invoices  12 750 / 100 000  12 %  1 190/s  ETA 1:13\n"))
    #expect(!errors.text.contains("\u{1B}") && !errors.text.contains("\r"))
  }

  @Test("the holder of a lock is named immediately, with its process and age")
  func lock() async throws {
    let (clock, errors) = (ManualClock(), TextRecorder())
    let display = Self.display(.log, errors, clock)
    let since = Timestamp(clock.wall.addingTimeInterval(-40))
    for wait in [
      LockWait(processID: 1234, since: since, limit: .seconds(60)),
      LockWait(processID: nil, since: nil, limit: .seconds(90)),
    ] { display.take(Self.event(.waitingForProcess(wait))) }
    try await eventually("both lines are there") { errors.text.count { $0 == "\n" } == 2 }
    #expect(
      errors.text == """
        Waiting for another appcore (pid 1234, running 40 s) to finish, up to 60 s; Ctrl-C to give up
        Waiting for another appcore to finish, up to 2 min; Ctrl-C to give up

        """)
  }

  @Test("--progress=json writes one object per line")
  func golden() {
    let now = Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000)
    let events: [SyncProgress] = [
      .waitingForProcess(LockWait(processID: 7, since: now, limit: .seconds(60))),
      .connecting(provider: "xero"),
      .waiting(.init(reason: .rateLimit, duration: .seconds(5), from: now)), Self.half, .indexing,
      .finished(.complete),
    ]
    let lines = events.map {
      JSONText.encode(ProgressDocument($0, account: "default", resource: .invoices))
    }
    let common = #""resource":"invoices","schemaVersion":1"#
    #expect(
      lines == [
        #"{"account":"default","event":"waiting-for-process","limitSeconds":60,"processID":7,"#
          + common + #","since":"2023-11-14T22:13:20Z"}"#,
        #"{"account":"default","event":"connecting","provider":"xero","# + common + "}",
        #"{"account":"default","event":"waiting","reason":"rate-limit","# + common
          + #","seconds":5,"until":"2023-11-14T22:13:25Z"}"#,
        #"{"account":"default","event":"stored","pages":51,"position":12750,"records":12750,"#
          + #""recordsPerSecond":1190.4,"remainingSeconds":73,"# + common + #","total":100000}"#,
        #"{"account":"default","event":"indexing","# + common + "}",
        #"{"account":"default","event":"finished","#
          + common.replacing(
            #","schema"#, with: #","result":"complete","schema"#) + "}",
      ])
  }

  @Test("times are written as distances and in the user's time zone")
  func times() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Amsterdam"))
    let now = Date(timeIntervalSince1970: 1_700_000_000)  // 22:13:20 UTC, 23:13 there
    func text(_ seconds: Double) -> String {
      HumanText.instant(Timestamp(now.addingTimeInterval(seconds)), from: now, in: zone)
    }
    #expect(text(-120) == "2 min ago (23:11)" && text(600) == "in 10 min (23:23)")
    #expect(text(-7_200) == "2 h ago (21:13)" && text(-0.2) == "now (23:13)")
    #expect(text(-172_800) == "2 days ago (2023-11-12 23:13)")
    #expect(text(3_600) == "in 60 min (2023-11-15 00:13)")
    #expect(HumanText.stopwatch(.seconds(7_505)) == "2:05:05")
    #expect(HumanText.count(1, Resource.invoices) == "1 invoice")
  }
}
