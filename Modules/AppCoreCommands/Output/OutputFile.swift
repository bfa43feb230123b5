import Documents
import Foundation
import Synchronization
import SystemSupport

/// A file that a command writes in place of standard output, complete or not at all.
final class OutputFile: TextSink {
  let isTerminal = false
  let columns: Int? = nil
  private let file: FileReplacement
  private let cause = Mutex<POSIXErrorCode?>(nil)

  /// Opens the file; a new one gets the mode that the process's mask allows.
  ///
  /// - Throws: ``Failures``.
  init(_ given: String, in folder: String) throws {
    let path = given.hasPrefix("/") ? given : folder + "/" + given
    do {
      file = try FileReplacement(path, mode: 0o666)
    } catch {
      throw Self.failure(FileReplacement.resolved(path), (error as? POSIXError)?.code)
    }
  }

  func write(_ text: String) -> StandardStream.Outcome {
    do {
      try file.write(text)
      return .written
    } catch {
      let code = (error as? POSIXError)?.code
      cause.withLock { $0 = code }
      return code == .EPIPE ? .readerLeft : .failed
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``Failures``.
  func finish() throws {
    do {
      try file.finish()
    } catch {
      throw Self.failure(file.path, (error as? POSIXError)?.code)
    }
  }

  /// Removes what was written.
  func discard() { file.discard() }

  /// The failure of a write, in place of that of standard output.
  var failure: Failures { Self.failure(file.path, cause.withLock { $0 }) }

  private static func failure(_ path: String, _ code: POSIXErrorCode?) -> Failures {
    let reason = String(cString: strerror((code ?? .EIO).rawValue))
    return Failures(
      Failure(
        .inputOutput, "output-file", "'\(path)' cannot be written: \(reason)",
        "Check the folder, its permissions and the disk, or name another file with --output."))
  }
}
