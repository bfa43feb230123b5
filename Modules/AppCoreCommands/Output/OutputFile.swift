import AppCore
import ArgumentParser
import ErrorCodes
import Foundation
import Models
import Presentation
import Synchronization
import SystemSupport

/// The destination of data that the user names in place of standard output.
///
/// A regular file is complete or unchanged. Anything else, such as a pipe or `/dev/stdout`, is
/// written as standard output is: filtered for a terminal, and never in the way of a signal.
final class OutputFile: TextSink {
  private enum Way {
    case file(FileReplacement)
    case stream(StandardStream, descriptor: CInt)
  }

  private let path: String
  private let way: Way
  private let cause = Mutex<POSIXErrorCode?>(nil)

  /// Opens the destination; a new file gets the mode that the process's mask allows.
  ///
  /// It blocks the thread while a pipe has no reader.
  ///
  /// - Throws: ``Failures``; `CancellationError` if the program was asked to end.
  init(_ given: String, in folder: String) throws {
    let named = given.hasPrefix("/") ? given : folder + "/" + given
    do {
      path = Self.inherited(named) == nil ? try FileReplacement.resolved(named) : named
      if let descriptor = try Self.opened(path) {
        way = .stream(StandardStream(descriptor, patience: 0), descriptor: descriptor)
      } else {
        way = .file(try FileReplacement(path, mode: 0o666))
      }
    } catch let error as StrangersFile {
      throw Failures(
        Failure(
          .outputFile, "'\(error.path)' is not written: \(error)",
          "Remove it, or name a file in a folder of your own."))
    } catch let error as POSIXError {
      throw Self.failure(named, error.code)
    }
  }

  deinit { if case .stream(_, let descriptor) = way { close(descriptor) } }

  /// Returns true for a destination that is no regular file, such as a pipe.
  static func isStream(_ path: String) -> Bool {
    inherited(path) != nil || kind(of: path).map { $0 != S_IFREG } ?? false
  }

  /// Returns the open descriptor that a path names, such as `/dev/stdout`; `nil` for others.
  ///
  /// To open its file once more would begin at its start, and replace what a shell's `>>` keeps.
  private static func inherited(_ path: String) -> CInt? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return CInt(path.dropFirst(folder.count))
      }
      return nil
    }
  }

  /// Returns the type of what is at a path; `nil` if there is nothing.
  private static func kind(of path: String) -> mode_t? {
    var found = stat()
    return stat(path, &found) == 0 ? found.st_mode & S_IFMT : nil
  }

  /// Opens a destination that is no regular file; `nil` for any other, which may not exist.
  private static func opened(_ path: String) throws -> CInt? {
    guard isStream(path) else { return nil }
    if let inherited = inherited(path) {
      let descriptor = fcntl(inherited, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      return descriptor
    }
    while true {
      let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if descriptor >= 0 { return descriptor }
      // A pipe without a reader; nothing reports that one has come.
      let code = errno
      guard code == ENXIO, kind(of: path) == S_IFIFO else {
        throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
      }
      let flag = InterruptionFlag.shared
      if flag.wait(for: flag.descriptor, POLLIN, within: 50) { throw CancellationError() }
    }
  }

  var isTerminal: Bool {
    if case .stream(let stream, _) = way { stream.isTerminal } else { false }
  }

  var columns: Int? {
    if case .stream(let stream, _) = way { stream.columns } else { nil }
  }

  func write(_ text: [UInt8]) -> StandardStream.Outcome {
    let file: FileReplacement
    switch way {
    case .stream(let stream, _): return stream.write(text)
    case .file(let given): file = given
    }
    do {
      try file.write(text)
      return .written
    } catch {
      let code = (error as? POSIXError)?.code
      cause.withLock { $0 = code }
      return .failed
    }
  }

  /// Gives a file its name.
  ///
  /// - Throws: ``Failures``.
  func finish() throws {
    guard case .file(let file) = way else { return }
    do {
      try file.finish()
    } catch {
      throw Self.failure(path, (error as? POSIXError)?.code)
    }
  }

  func discard() {
    if case .file(let file) = way { file.discard() }
  }

  /// The failure of a write, in place of that of standard output.
  var failure: Failures {
    if case .stream(let stream, _) = way { return Self.failure(path, stream.failure) }
    return Self.failure(path, cause.withLock { $0 })
  }

  private static func failure(_ path: String, _ code: POSIXErrorCode?) -> Failures {
    let reason = String(cString: strerror((code ?? .EIO).rawValue))
    return Failures(
      Failure(
        .outputFile, "'\(path)' cannot be written: \(reason)",
        "Check the folder, its permissions and the disk, or name another file."))
  }
}

struct OutputOption: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The regular file that is replaced; `nil` for standard output, a pipe and the like.
  func file(in folder: String) -> String? {
    guard let output, output != "-" else { return nil }
    return OutputFile.isStream(output.hasPrefix("/") ? output : folder + "/" + output)
      ? nil : output
  }

  /// The ``suffix(of:)`` of the file.
  var suffix: String? { output.flatMap(Self.suffix) }

  /// Returns the end of a file's name after its last dot, in lower case; `nil` without one.
  static func suffix(of path: String) -> String? {
    let name = path.lowercased().split(separator: "/").last ?? ""
    return name.split(separator: ".").dropFirst().last.map(String.init)
  }

  /// Checks that a command that writes a table is not to write a file of data.
  ///
  /// - Parameter other: the command that does.
  /// - Throws: ``UsageError``.
  func requireTable(isJSON: Bool, otherwise other: Hint.Command) throws {
    guard let output, let suffix, !isJSON, ["csv", "json", "jsonl", "ndjson"].contains(suffix)
    else { return }
    throw UsageError(
      Hint("This command writes a table, not \(suffix); use", other.adding(["-o", output])))
  }

  /// Runs `body` with the terminal that it writes its data to.
  ///
  /// - Parameter body: returns what it has written, such as `12 rows`; `nil` if it counts nothing.
  /// - Throws: ``Failures`` if the file cannot be written; what `body` throws.
  func write(
    in context: CommandContext, _ body: (Terminal) async throws -> String?
  ) async throws {
    guard let output, output != "-" else {
      _ = try await body(context.terminal)
      return
    }
    let written = try await Self.write(to: output, in: context, body)
    context.terminal.note("Wrote \(printable(output))" + (written.map { ": \($0)" } ?? "") + ".")
  }

  static func write<Value>(
    to output: String, in context: CommandContext, _ body: (Terminal) async throws -> Value
  ) async throws -> Value {
    let terminal = context.terminal
    let folder = context.environment.currentDirectory
    let file = try await terminal.thread.run { Result { try OutputFile(output, in: folder) } }.get()
    do {
      let result = try await body(terminal.writing(to: file))
      try await terminal.thread.run { Result { try file.finish() } }.get()
      return result
    } catch {
      await terminal.thread.run { file.discard() }
      throw error is OutputFailed ? file.failure : error
    }
  }
}
