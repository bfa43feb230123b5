import Foundation
import Glibc
import Networking
import TestSupport
import Testing

/// The note that an earlier download left with its part.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct PartialFileTests {
  enum Plant: CaseIterable {
    case link, secondName, pipe
  }

  @Test(
    "a download reads no note that is not this user's own file, and starts over",
    arguments: Plant.allCases)
  func plantedNote(plant: Plant) async throws {
    let folder = try TemporaryDirectory()
    let (path, note) = (folder.file("file"), folder.file("file.part.json"))
    let target = folder.file("target")
    let fixture = try await SessionFixture(
      FaultScript(responses: [
        [
          .send(
            """
            HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nETag: "v1"\r
            Content-Length: 10\r\n\r\n0123
            """), .close,
        ],
        [.response(fields: ["ETag: \"v2\""], body: "0123456789")],
      ])
    ) { $0.retry.attempts = 1 }
    let request = try fixture.request()
    #expect(
      await sessionError { try await fixture.session.download(request, to: path) } != nil)
    try FileManager.default.moveItem(atPath: note, toPath: target)
    let earlier = try Data(contentsOf: URL(filePath: target))
    var pipe: CInt = -1
    // A reader that waits for the pipe's writer ends with the test.
    defer { if pipe >= 0 { close(pipe) } }
    switch plant {
    case .link:
      try FileManager.default.createSymbolicLink(atPath: note, withDestinationPath: target)
    case .secondName: try FileManager.default.linkItem(atPath: target, toPath: note)
    case .pipe:
      try #require(mkfifo(note, 0o600) == 0)
      pipe = open(note, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    }
    let download = Task { try await fixture.session.download(request, to: path) }
    try await fixture.server.requests(become: 2)
    #expect(try await download.joined.resumedFrom == 0)
    #expect(!fixture.server.requests[1].lowercased().contains("range:"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "0123456789")
    #expect(try Data(contentsOf: URL(filePath: target)) == earlier)
  }
}
