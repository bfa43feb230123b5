import Foundation

/// Another program at a database file: Python's SQLite, in a process of its own, which knows
/// nothing of our locks.
package final class OtherWriter: Sendable {
  package static let isAvailable = ChildProcess.find("python3") != nil

  /// Carries out a line at a time, and says so when it is done.
  private static let script = """
    import sqlite3, sys
    database = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
    database.execute("PRAGMA wal_autocheckpoint = 0")
    for line in sys.stdin:
        database.execute(line)
        print("done", flush=True)
    """

  private let process: ChildProcess
  private let input: Pipe

  package init(at path: String) throws {
    guard let python = ChildProcess.find("python3") else { throw CocoaError(.fileNoSuchFile) }
    input = Pipe()
    process = try ChildProcess(
      python, ["-c", Self.script, path], environment: ChildProcess.sanitizerEnvironment,
      input: input)
  }

  /// Hands it a statement, without waiting.
  package func begin(_ statement: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((statement + "\n").utf8))
  }

  /// Hands it a statement and waits until it is done.
  package func run(_ statement: String) async throws {
    let number = done + 1
    try begin(statement)
    try await finish(number)
  }

  /// Waits until so many statements are done since the beginning.
  package func finish(_ count: Int) async throws {
    try await eventually("the other program is done") { self.done >= count }
  }

  private var done: Int { process.output.split(separator: "\n").count }

  /// Ends it; what it has begun is undone.
  package func stop() async throws {
    try input.fileHandleForWriting.close()
    _ = await process.ending()
  }

  /// Kills it: what it has committed stays in the log.
  package func kill() async {
    process.send(SIGKILL)
    _ = await process.ending()
  }
}
