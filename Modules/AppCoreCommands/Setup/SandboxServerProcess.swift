import AppCore
import Foundation
import Glibc
import Synchronization
import SystemSupport

/// The sandbox program, which runs as a child of this process.
final class SandboxServerProcess: Sendable {
  struct Description: Decodable, Sendable {
    let url: String
    let clientID: String
  }

  /// The child, and the ends of its pipes that this process holds.
  private struct Child: Sendable {
    let program: ChildProgram
    /// The child stops when this pipe is closed, so it never outlives this process; `nil` if it
    /// may.
    let input: FileHandle?
    let output: FileHandle
  }

  private static let limit = 1 << 16

  let description: Description
  private let child: Mutex<Child?>

  private init(_ child: Child, _ description: Description) {
    self.child = Mutex(child)
    self.description = description
  }

  /// Starts the program and waits until it is ready.
  ///
  /// - Parameters:
  ///   - options: more arguments of `serve`.
  ///   - outlives: true if the program may outlive this process; it then has none of its streams.
  ///   - limit: the longest wait.
  ///   - flag: ends the wait when it is raised.
  /// - Throws: `ConfigurationError` if the program ends, or is not ready in time;
  ///   `CancellationError` after a signal.
  static func start(
    _ program: String, _ options: [String] = [], outlives: Bool = false,
    within limit: Duration = .seconds(120), flag: InterruptionFlag = .shared
  ) async throws -> SandboxServerProcess {
    try await BlockingWork.run {
      let problem = ConfigurationError(source: program, problem: "the sandbox does not start")
      guard let child = spawn(program, options, outlives) else { throw problem }
      let line = firstLine(of: child, within: limit, flag)
      guard let description = try? JSONDecoder().decode(Description.self, from: line) else {
        end(child, within: .zero)
        if flag.isRaised { throw CancellationError() }
        throw problem
      }
      return SandboxServerProcess(child, description)
    }
  }

  /// Stops the program and waits for its end.
  ///
  /// - Parameter limit: the time after which the program is killed.
  func stop(within limit: Duration = .seconds(20)) async {
    let child = child.withLock { $0.take() }
    guard let child else { return }
    await BlockingWork.run { Self.end(child, within: limit) }
  }

  private static func spawn(_ path: String, _ options: [String], _ outlives: Bool) -> Child? {
    let (input, output) = (outlives ? nil : Pipe(), Pipe())
    let program = ChildProgram(
      path, ["serve"] + options,
      ChildProgram.Streams(
        input: input?.fileHandleForReading.fileDescriptor,
        output: output.fileHandleForWriting.fileDescriptor, errors: outlives ? nil : STDERR_FILENO))
    // The child has copies. Without this, its end would not end the output.
    try? input?.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
    return program.map {
      Child(program: $0, input: input?.fileHandleForWriting, output: output.fileHandleForReading)
    }
  }

  /// Returns what the child prints, up to the end of the first line.
  private static func firstLine(
    of child: Child, within limit: Duration, _ flag: InterruptionFlag
  ) -> Data {
    let descriptor = child.output.fileDescriptor
    let end = ContinuousClock.now + limit
    var line = Data()
    while line.last != UInt8(ascii: "\n"), line.count < Self.limit {
      guard flag.wait(for: descriptor, POLLIN, within: milliseconds(until: end)) else { break }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      line += buffer.prefix(count)
    }
    return line
  }

  /// Asks the child to end, and kills it if its output has not ended in time.
  private static func end(_ child: Child, within limit: Duration) {
    kill(child.program.id, SIGTERM)
    var output = pollfd(fd: child.output.fileDescriptor, events: 0, revents: 0)
    let end = ContinuousClock.now + limit
    while poll(&output, 1, milliseconds(until: end)) < 0, errno == EINTR {}
    // The child has ended, which makes this harmless, or does not want to.
    kill(child.program.id, SIGKILL)
    _ = child.program.awaitEnd()
  }

  private static func milliseconds(until end: ContinuousClock.Instant) -> CInt {
    CInt(max(.zero, ContinuousClock.now.duration(to: end)) / .milliseconds(1))
  }
}
