import Foundation

/// A program that appcore starts for the user, such as a browser, and that may outlive appcore.
enum DetachedProgram {
  /// Starts a program without appcore's streams.
  ///
  /// - Parameter onFailure: called if the program cannot be started, or exits with a status other
  ///   than 0.
  static func start(
    _ path: String, _ arguments: [String], onFailure: @escaping @Sendable () -> Void
  ) {
    guard let program = ChildProgram(path, arguments) else { return onFailure() }
    // The program may run as long as appcore, so a thread of its own waits for it.
    Thread.detachNewThread {
      if let status = program.awaitEnd(), status != 0 { onFailure() }
    }
  }
}
