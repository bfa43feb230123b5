import Foundation
import Networking
import Synchronization
import TestSupport
import Testing

@testable import AppCore

/// Requests that several processes count together, in a file.
@Suite(.timeLimit(.minutes(5))) struct RequestCountTests {
  private static let day = RateLimit(requests: 3, interval: .seconds(86_400))
  private static let hour = RateLimit(requests: 2, interval: .seconds(3_600))
  /// In the middle of five minutes.
  private static let start: Int64 = 1_700_000_100 + 60

  @Test("what one process has sent counts in another, until it has left the interval")
  func together() async throws {
    let folder = try TemporaryDirectory()
    let time = Mutex(Self.start)
    func process() -> RequestCountFile {
      RequestCountFile(path: folder.file("counts")) {
        Date(timeIntervalSince1970: Double(time.withLock { $0 }))
      }
    }
    for _ in 0..<3 {
      let wait = await process().add(within: [Self.day])
      #expect(wait == nil)
    }
    let wait = await process().add(within: [Self.day])
    // Until the last of the five minutes is a day ago.
    #expect(wait == .seconds(86_400 + 240))
    time.withLock { $0 += 86_400 + 239 }
    #expect(await process().add(within: [Self.day]) == .seconds(1))
    time.withLock { $0 += 1 }
    #expect(await process().add(within: [Self.day]) == nil)
  }

  @Test("of several limits the longest wait counts, and what is sent unasked counts as well")
  func several() async throws {
    let folder = try TemporaryDirectory()
    let file = RequestCountFile(path: folder.file("counts")) {
      Date(timeIntervalSince1970: Double(Self.start))
    }
    await file.add()
    #expect(await file.add(within: [Self.day, Self.hour]) == nil)
    #expect(await file.add(within: [Self.day, Self.hour]) == .seconds(3_600 + 240))
    await file.add()
    #expect(await file.add(within: [Self.hour, Self.day]) == .seconds(86_400 + 240))
  }

  @Test("many at once lose no count")
  func concurrent() async throws {
    let folder = try TemporaryDirectory()
    let file = RequestCountFile(path: folder.file("counts")) {
      Date(timeIntervalSince1970: Double(Self.start))
    }
    let limit = RateLimit(requests: 20, interval: .seconds(86_400))
    let granted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<30 { group.addTask { await file.add(within: [limit]) == nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(granted == 20)
  }

  @Test("only counts and times are in the file, and its owner alone can read it")
  func content() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("counts")
    let file = RequestCountFile(path: path) { Date(timeIntervalSince1970: Double(Self.start)) }
    await file.add()
    await file.add()
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
    let folder = try TemporaryDirectory()
    let path = try folder.write(text, to: "counts")
    let file = RequestCountFile(path: path) { Date(timeIntervalSince1970: Double(Self.start)) }
    #expect(await file.add(within: [Self.hour]) == nil)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "appcore requests 1\n1700000100 1\nend\n")
  }

  @Test("counts that are dated ahead, as after a clock was set back, hold nobody up")
  func ahead() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("appcore requests 1\n1800000000 9\nend\n", to: "counts")
    let file = RequestCountFile(path: path) { Date(timeIntervalSince1970: Double(Self.start)) }
    #expect(await file.add(within: [Self.hour]) == nil)
  }

  @Test("what is older than a day is forgotten")
  func forgotten() throws {
    var table = RequestCountTable()
    for hour in 0..<60 { table.add(at: Self.start + Int64(hour) * 3_600, within: []) }
    #expect(table.text.split(separator: "\n").count == 2 + 25)
    #expect(RequestCountTable(text: table.text) == table)
  }

  @Test("where nothing can be written, requests go all the same")
  func unwritable() async throws {
    let folder = try TemporaryDirectory()
    let file = RequestCountFile(path: folder.file("missing/counts"))
    let limit = RateLimit(requests: 1, interval: .seconds(86_400))
    for _ in 0..<2 {
      let wait = await file.add(within: [limit])
      #expect(wait == nil)
    }
  }
}
