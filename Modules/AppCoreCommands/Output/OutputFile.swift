import AppCore
import Documents
import ErrorCodes
import Foundation
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

  /// The path of the destination, with links resolved if it is a file.
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

  func write(_ text: String) -> StandardStream.Outcome {
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

  /// Removes what was written to a file.
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
