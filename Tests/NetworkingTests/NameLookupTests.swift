import Foundation
import TestSupport
import Testing

/// A lookup of a name that gets no answer, with a name server of the test's own.
///
/// The name server's address stands in a file of the whole system; a child process sees another one
/// in its place, which only root can arrange.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .cleansUp,
  .enabled("a process cannot be given a mount namespace here") {
    guard let program = ChildProcess.find("unshare") else { return false }
    let probe = try ChildProcess(
      program, ["--mount", "true"], environment: ChildProcess.sanitizerEnvironment)
    return await probe.ending().status == 0
  })
struct NameLookupTests {
  private struct Report: Decodable {
    let answer: String
    let milliseconds: Int
    let shutdownMilliseconds: Int
    let questions: Int
  }

  @Test(
    "a lookup that hangs holds neither the caller, nor the session's end, nor the process",
    arguments: [("cancel", "CancellationError()", 0), ("connect", "timedOut(connect)", 1_000)])
  func hanging(mode: String, answer: String, earliest: Int) async throws {
    // The first loopback address that no other process uses, even if tests run concurrently.
    let address = "127.53.\(ProcessInfo.processInfo.processIdentifier % 250).\(mode.count)"
    let folder = try TemporaryDirectory()
    // Five questions, each for 30 s, are waited for longer than all of this may take.
    let file = try folder.write(
      "nameserver \(address)\noptions timeout:30 attempts:5\n", to: "resolv.conf")
    let begin = ContinuousClock.now
    let probe = try ChildProcess(
      try #require(ChildProcess.find("unshare")),
      [
        "--mount", "sh", "-c", "mount --bind \"$1\" /etc/resolv.conf && shift && exec \"$@\"", "sh",
        file, try ChildProcess.built("networking-probe"), "dns", mode, address,
      ], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
    let ending = await probe.ending()
    let time = ContinuousClock.now - begin
    try #require(ending.status == 0, "\(ending.output) \(ending.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8))
    print("name lookup:", ending.output)
    #expect(report.answer == answer && report.milliseconds >= earliest)
    // It was a lookup that hung, not one that failed.
    #expect(report.questions > 0)
    // Less than the lookup alone would have taken, however slow the machine.
    #expect(time < .seconds(150), "\(ending.output)")
  }
}
