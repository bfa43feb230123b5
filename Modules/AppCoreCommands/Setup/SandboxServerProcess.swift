import AppCore
import Foundation
import Synchronization
import SystemSupport

/// The sandbox program, which runs as a child of this process.
final class SandboxServerProcess: Sendable {
  /// The line that the program prints when it is ready.
  struct Description: Decodable, Sendable {
    let url: String
    let clientID: String
  }

  let description: Description
  private let process: Mutex<Process>
  /// The child stops when this pipe is closed, so it never outlives this process.
  private let input: Pipe

  private init(_ process: sending Process, _ input: Pipe, _ description: Description) {
    self.process = Mutex(process)
    self.input = input
    self.description = description
  }

  /// Starts the program and waits until it is ready.
  ///
  /// - Throws: `ConfigurationError` if it ends instead.
  static func start(_ program: String) async throws -> SandboxServerProcess {
    try await BlockingWork.run {
      let process = Process()
      let (input, output) = (Pipe(), Pipe())
      process.executableURL = URL(filePath: program)
      process.arguments = ["serve"]
      process.standardInput = input
      process.standardOutput = output
      let problem = ConfigurationError(source: program, problem: "the sandbox does not start")
      do { try process.run() } catch { throw problem }
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let piece = output.fileHandleForReading.availableData
        guard !piece.isEmpty else { break }
        line += piece
      }
      guard let description = try? JSONDecoder().decode(Description.self, from: line) else {
        process.terminate()
        throw problem
      }
      return SandboxServerProcess(process, input, description)
    }
  }

  /// Stops the program and waits for its end.
  func stop() async {
    await BlockingWork.run { [self] in
      process.withLock { process in
        process.terminate()
        process.waitUntilExit()
      }
    }
  }
}
