import Foundation

/// Another process that holds the `flock` of a file until it is ended.
package final class LockHolder: Sendable {
  package static let isAvailable = ChildProcess.find("flock") != nil

  private let process: ChildProcess

  /// Starts the process and waits until it holds the lock.
  package init(of path: String) async throws {
    guard let flock = ChildProcess.find("flock") else { throw CocoaError(.fileNoSuchFile) }
    let process = try ChildProcess(
      flock, ["-F", path, "sh", "-c", "echo held; exec cat"],
      environment: ChildProcess.sanitizerEnvironment, input: Pipe())
    self.process = process
    try await eventually("the lock is held") { process.output == "held\n" }
  }

  /// Ends the process, and with it the lock.
  package func stop() async {
    process.send(SIGKILL)
    _ = await process.ending()
  }
}
