import Foundation
import SystemSupport
import Testing

@testable import Sandbox

/// The program `appcore-sandbox` in a process of its own.
final class ChildSandbox: Sendable {
  enum Input {
    /// A pipe that the test can close.
    case pipe
    /// `/dev/null`.
    case null
  }

  enum Exit: Equatable {
    case code(Int32)
    case signal(Int32)
  }

  private let process: Process
  private let input: Pipe?
  private let output: FileHandle

  /// The executable lies beside the test runner.
  private static let executable: URL? = {
    let candidates = [
      Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent(),
    ]
    return candidates.compactMap { $0?.appending(path: "appcore-sandbox") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
  }()

  static var isBuilt: Bool { executable != nil }

  init(_ arguments: [String], input kind: Input) throws {
    process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    let outputPipe = Pipe()
    process.standardOutput = outputPipe
    process.standardError = FileHandle.nullDevice
    output = outputPipe.fileHandleForReading
    switch kind {
    case .pipe:
      let pipe = Pipe()
      process.standardInput = pipe
      input = pipe
    case .null:
      process.standardInput = FileHandle.nullDevice
      input = nil
    }
    try process.run()
  }

  deinit {
    if process.isRunning { signal(SIGKILL) }
  }

  /// Waits for the program on another thread, and kills it if the test is cancelled because its
  /// time is up.
  private func wait<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async rethrows -> Value {
    try await withTaskCancellationHandler {
      try await BlockingWork.run(body)
    } onCancel: {
      signal(SIGKILL)
    }
  }

  /// The address in the line that says the server is ready.
  func url() async throws -> String {
    let output = output
    let line = try await wait {
      var bytes: [UInt8] = []
      while let byte = try output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
        bytes.append(byte)
      }
      return bytes
    }
    let ready = try JSONDecoder().decode([String: String].self, from: Data(line))
    #expect(Set(ready.keys) == ["url", "clientID", "machineClientID", "machineClientSecret"])
    return try #require(ready["url"])
  }

  func restOfOutput() async throws -> Data {
    let output = output
    return try await wait { try output.readToEnd() ?? Data() }
  }

  func endInput() {
    try? input?.fileHandleForWriting.close()
  }

  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  func exit() async -> Exit {
    let process = process
    return await wait {
      process.waitUntilExit()
      return process.terminationReason == .exit
        ? .code(process.terminationStatus) : .signal(process.terminationStatus)
    }
  }
}
