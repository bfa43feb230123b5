import Foundation
import Glibc
import Synchronization

/// A file that a command writes in place of standard output, complete or not at all.
///
/// It is written beside its destination and renamed at the end, so that a failure leaves an earlier
/// file as it was. A new file gets the mode that the process's mask allows; an existing one keeps
/// its own. A destination that is no regular file, such as a pipe, is written directly.
final class OutputFile: TextSink {
  let isTerminal = false
  let columns: Int? = nil
  private let descriptor: CInt
  private let path: String
  /// The path that is written until the end; `nil` if the destination is written directly.
  private let partial: String?
  private let cause = Mutex<CInt>(0)

  /// Opens the file.
  ///
  /// - Throws: ``Failures``.
  init(_ given: String, in folder: String) throws {
    let named = given.hasPrefix("/") ? given : folder + "/" + given
    let resolved = realpath(named, nil)
    path = resolved.map { String(cString: $0) } ?? named
    free(resolved)
    var found = stat()
    let exists = stat(path, &found) == 0
    guard !exists || found.st_mode & S_IFMT == S_IFREG else {
      partial = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw Self.failure(path, errno) }
      return
    }
    let url = URL(filePath: path)
    let new =
      url.deletingLastPathComponent().path(percentEncoded: false)
      + ".\(url.lastPathComponent).\(getpid())"
    unlink(new)
    partial = new
    descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    if exists { fchmod(descriptor, found.st_mode & 0o777) }
  }

  deinit { close(descriptor) }

  func write(_ text: String) -> StandardStream.Outcome {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        let failed = errno
        cause.withLock { $0 = failed }
        return failed == EPIPE ? .readerLeft : .failed
      }
    }
    return .written
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``Failures``.
  func finish() throws {
    guard let partial, rename(partial, path) != 0 else { return }
    throw Self.failure(path, errno)
  }

  /// Removes what was written.
  func discard() {
    if let partial { unlink(partial) }
  }

  /// The failure of a write, in place of that of standard output.
  var failure: Failures { Self.failure(path, cause.withLock { $0 }) }

  private static func failure(_ path: String, _ code: CInt) -> Failures {
    Failures(
      Failure(
        .inputOutput, "output-file",
        "'\(path)' cannot be written: \(String(cString: strerror(code)))",
        "Check the folder, its permissions and the disk, or name another file with --output."))
  }
}
