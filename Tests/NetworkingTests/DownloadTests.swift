import Foundation
import Glibc
import HTTPTypes
import Networking
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DownloadTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("file") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private static func whole(_ text: String, length: Int? = nil, tag: String = "\"v1\"")
    -> FaultScript.Step
  {
    .send(
      """
      HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nETag: \(tag)\r
      Content-Length: \(length ?? text.utf8.count)\r\n\r\n\(text)
      """)
  }

  private static func part(_ text: String, from first: Int, of total: Int) -> FaultScript.Step {
    .response(
      "206 Partial", fields: ["Content-Range: bytes \(first)-\(total - 1)/\(total)"], body: text)
  }

  private func fixture(_ responses: [FaultScript.Step]...) async throws -> SessionFixture {
    try await SessionFixture(FaultScript(responses: responses)) { configuration in
      configuration.retry.attempts = 3
      configuration.retry.baseDelay = .zero
    }
  }

  private func content() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private var leftovers: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test("a complete download replaces the file in one step, and reports its progress")
  func whole() async throws {
    let fixture = try await fixture([Self.whole("0123456789")])
    let seen = Mutex<[DownloadProgress]>([])
    let download = try await fixture.session.download(try fixture.request(), to: path) { progress in
      seen.withLock { $0.append(progress) }
    }
    #expect(download.size == 10 && download.resumedFrom == 0)
    #expect(try content() == "0123456789")
    #expect(leftovers == ["file"])
    let last = try #require(seen.withLock { $0.last })
    #expect(last.received == 10 && last.expected == 10)
    #expect(fixture.server.requests[0].lowercased().contains("accept-encoding: identity"))
  }

  @Test("a download continues where its connection was lost")
  func resumed() async throws {
    let fixture = try await fixture(
      [Self.whole("0123", length: 10), .reset], [Self.part("456789", from: 4, of: 10)])
    #expect(try await fixture.session.download(try fixture.request(), to: path).size == 10)
    #expect(try content() == "0123456789")
    let second = fixture.server.requests[1].lowercased()
    #expect(second.contains("range: bytes=4-\r\n") && second.contains("if-range: \"v1\""))
  }

  @Test("another run of the program continues the download of the first")
  func laterRun() async throws {
    let fixture = try await fixture(
      [Self.whole("0123", length: 10), .hang], [Self.part("456789", from: 4, of: 10)])
    let request = try fixture.request(.get, "/file?signature=canary")
    let reading = Task { [path] in try await fixture.session.download(request, to: path) }
    try await eventually("something has come and is written") {
      (try? Data(contentsOf: URL(filePath: path + ".part")).count) == 4
    }
    reading.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reading.joined }
    #expect(leftovers == ["file.part", "file.part.json"])
    let note = try String(contentsOfFile: path + ".part.json", encoding: .utf8)
    #expect(!note.contains("canary"))
    let session = Session(name: "later", configuration: fixture.session.configuration)
    let download = try await session.download(request, to: path)
    #expect(download.size == 10 && download.resumedFrom == 4)
    #expect(try content() == "0123456789")
  }

  @Test("a download starts again if the file has changed")
  func changed() async throws {
    let fixture = try await fixture(
      [Self.whole("0123", length: 10), .reset], [Self.whole("abcdef", tag: "\"v2\"")])
    #expect(try await fixture.session.download(try fixture.request(), to: path).size == 6)
    #expect(try content() == "abcdef")
  }

  @Test("a file without a validator is not continued, and still arrives complete")
  func withoutValidator() async throws {
    let weak = "W/\"v1\""
    let fixture = try await fixture(
      [Self.whole("0123", length: 10, tag: weak), .reset], [Self.whole("0123456789", tag: weak)])
    #expect(try await fixture.session.download(try fixture.request(), to: path).size == 10)
    #expect(!fixture.server.requests[1].lowercased().contains("range:"))
  }

  @Test("a range of another file is not appended")
  func wrongPart() async throws {
    let fixture = try await fixture(
      [Self.whole("0123", length: 10), .reset], [Self.part("89", from: 8, of: 10)],
      [Self.whole("0123456789")])
    #expect(try await fixture.session.download(try fixture.request(), to: path).size == 10)
    #expect(try content() == "0123456789")
  }

  @Test("a part from another address is not continued, even if the validators are equal")
  func otherSource() async throws {
    let fixture = try await fixture(
      [Self.whole("0123", length: 10), .hang], [Self.whole("abcdefghij")])
    let first = try fixture.request(.get, "/export?id=1")
    let path = path
    let reading = Task { try await fixture.session.download(first, to: path) }
    try await eventually("something has come and is written") {
      (try? Data(contentsOf: URL(filePath: path + ".part")).count) == 4
    }
    // During the download, no other download may write there.
    await #expect(throws: DownloadError.self) {
      _ = try await fixture.session.download(first, to: path)
    }
    reading.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reading.joined }
    let second = try fixture.request(.get, "/export?id=2")
    try await eventually("the place is free") {
      do {
        return try await fixture.session.download(second, to: path).resumedFrom == 0
      } catch DownloadError.busy {
        return false
      }
    }
    #expect(try content() == "abcdefghij")
    #expect(fixture.server.requests.allSatisfy { !$0.lowercased().contains("range:") })
  }

  @Test("a server that ignores the condition of a range cannot mix two versions")
  func unconditionalRange() async throws {
    let mixed = FaultScript.Step.response(
      "206 Partial", fields: ["Content-Range: bytes 4-9/10", "ETag: \"v2\""], body: "efghij")
    let fixture = try await fixture(
      [Self.whole("0123", length: 10), .reset], [mixed], [Self.whole("abcdefghij", tag: "\"v2\"")])
    #expect(try await fixture.session.download(try fixture.request(), to: path).resumedFrom == 0)
    #expect(try content() == "abcdefghij")
  }

  @Test("a cancellation ends a download that waits for its next attempt")
  func cancelledInWait() async throws {
    let fixture = try await SessionFixture(
      FaultScript(responses: [[Self.whole("0123", length: 10), .reset]])
    ) { $0.retry.baseDelay = .seconds(7) }
    var request = try fixture.request()
    request.tag = "file"
    let reading = Task { [path, request] in
      try await fixture.session.download(request, to: path)
    }
    try await fixture.clock.sleeper(of: .seconds(7))
    fixture.session.cancel("file")
    let error = await sessionError { try await reading.joined }
    #expect(error.kind == "cancelled")
    #expect(fixture.server.requests.count == 1)
  }

  @Test("a failed download is reported, and the earlier file stays")
  func refused() async throws {
    try Data("old".utf8).write(to: URL(filePath: path))
    let fixture = try await fixture([.response("404 Not Found")])
    await #expect(throws: DownloadError.self) {
      _ = try await fixture.session.download(try fixture.request(), to: path)
    }
    #expect(try content() == "old")
    // Nothing has arrived with which a later download could continue.
    #expect(leftovers == ["file"])
    await #expect(throws: DownloadError.self) {
      _ = try await fixture.session.download(try fixture.request(), to: "/none/file")
    }
  }

  @Test(
    "a length that no file has is a typed error",
    arguments: ["9223372036854775807", "9223372036854775800", "99999999999999999999"])
  func hugeLength(length: String) async throws {
    let fixture = try await fixture(
      [Self.whole("01234", length: 10), .reset],
      [
        .send(
          """
          HTTP/1.1 206 Partial\r\nContent-Range: bytes 5-9/*\r\n\
          Content-Length: \(length)\r\n\r\n56789
          """
        ), .reset,
      ])
    await #expect(throws: SessionError.self) {
      _ = try await fixture.session.download(try fixture.request(), to: path)
    }
  }

  @Test("a link or a pipe in place of the part is not written to")
  func planted() async throws {
    let target = try folder.write("precious", to: "target")
    let part = path + ".part"
    for plant in [
      { try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: target) },
      { try FileManager.default.linkItem(atPath: target, toPath: part) },
      { guard mkfifo(part, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) } },
    ] {
      try plant()
      let fixture = try await fixture([Self.whole("0123456789")])
      await #expect {
        _ = try await fixture.session.download(try fixture.request(), to: path)
      } throws: { error in
        if case DownloadError.unwritable = error { true } else { false }
      }
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
      #expect(!FileManager.default.fileExists(atPath: path))
      try FileManager.default.removeItem(atPath: part)
    }
  }

  @Test("a download of 1 GiB takes constant memory")
  func large() async throws {
    struct Report: Decodable {
      let size: Int
      let growth: Int
    }
    let size = 1 << 30
    let megabyte = Bytes([UInt8](repeating: 7, count: 1 << 20))
    let server = try await FaultServer(
      FaultScript(otherwise: [
        .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
        .repeat(megabyte, times: size >> 20),
      ]))
    let ending = try await ChildProcess(
      try ChildProcess.built("networking-probe"), ["download", server.url, path],
      environment: ChildProcess.sanitizerEnvironment
    ).ending()
    try #require(ending.status == 0, "\(ending.output) \(ending.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8))
    #expect(report.size == size)
    #expect(report.growth < 32 << 20, "\(report.growth)")
  }
}
