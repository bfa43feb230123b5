import Foundation
import TestSupport
import Testing

/// The parsers of untrusted input, which return a value or a typed error.
@Suite(.timeLimit(.minutes(10))) struct FuzzTests {
  private static let corpus =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzzing/Corpus").path(percentEncoded: false)

  private static let targets =
    (try? FileManager.default.contentsOfDirectory(atPath: corpus).sorted()) ?? []

  // A process of its own: what a trap ends is not the other tests.
  @Test(
    "every input of a corpus and its mutations end in a value or a typed error", arguments: targets)
  func replay(target: String) async throws {
    let folder = try TemporaryDirectory()
    let seed = ProcessInfo.processInfo.environment["APPCORE_FIRST_SEED"] ?? "1"
    let ending = try await ChildProcess(
      try ChildProcess.built("fuzz"),
      ["replay", target, "3000", seed, Self.corpus, folder.file("input")],
      environment: ChildProcess.sanitizerEnvironment
    ).ending()
    let input = FileManager.default.contents(atPath: folder.file("input")) ?? Data()
    #expect(
      ending.status == 0,
      "seed \(seed): \(ending.output) \(ending.errors) at \(input.base64EncodedString())")
  }

  @Test("every target has a corpus")
  func corpora() async throws {
    let ending = try await ChildProcess(
      try ChildProcess.built("fuzz"), ["list"], environment: ChildProcess.sanitizerEnvironment
    ).ending()
    #expect(Set(ending.output.split(separator: "\n").map(String.init)) == Set(Self.targets))
  }
}
