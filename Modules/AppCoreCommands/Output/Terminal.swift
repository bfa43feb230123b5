import Foundation
import Glibc
import Synchronization

/// Where output goes: data to standard output, everything else to standard error.
struct Terminal: Sendable {
  enum Stream: Sendable {
    case standardOutput
    case standardError

    fileprivate var descriptor: CInt { self == .standardOutput ? STDOUT_FILENO : STDERR_FILENO }

    /// Whether a terminal shows what is written.
    var isTerminal: Bool { isatty(descriptor) == 1 }
  }

  let isJSON: Bool
  let isQuiet: Bool
  /// Whether lines of a log or a trace go to standard error.
  let tellsSteps: Bool

  /// Whether a person sees standard error as it is written.
  var showsProgress: Bool { !isQuiet && !isJSON && !tellsSteps && isPersonAtStandardError }

  /// Whether standard error is a terminal.
  var isPersonAtStandardError: Bool { Self.isPersonAtStandardError }

  static var isPersonAtStandardError: Bool { isatty(STDERR_FILENO) == 1 }

  /// Prints data: the document with `--json`, else the text.
  ///
  /// - Throws: ``OutputFailed`` where it cannot be written whole, as on a full disk.
  func print(_ document: some Encodable, text: @autoclosure () -> String) throws {
    let text = isJSON ? JSONText.encode(document, for: .standardOutput) : text()
    guard Self.write(text, to: .standardOutput) else { throw OutputFailed() }
  }

  /// Tells the person something that is no data; not with `--quiet`.
  func note(_ text: String) {
    if !isQuiet { Self.write(text, to: .standardError) }
  }

  /// Shows how far something has got, over the line that it wrote before.
  func progress(_ text: String) {
    if showsProgress { Self.writeRaw("\r\u{1B}[K" + text, to: .standardError) }
  }

  /// Removes the progress line.
  func endProgress() {
    if showsProgress { Self.writeRaw("\r\u{1B}[K", to: .standardError) }
  }

  /// Writes a line; `false` where it could not be.
  @discardableResult
  static func write(_ text: String, to stream: Stream) -> Bool {
    writeRaw(text.hasSuffix("\n") || text.isEmpty ? text : text + "\n", to: stream)
  }

  /// Writes a text as it is; `false` where it could not be.
  @discardableResult
  static func writeRaw(_ text: String, to stream: Stream) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes {
        Glibc.write(stream.descriptor, $0.baseAddress, $0.count)
      }
      if written < 0 {
        // A reader that has gone away, as in `| head`, is no error of ours.
        if errno == EINTR || errno == EAGAIN { continue }
        return errno == EPIPE
      }
      bytes = bytes.dropFirst(written)
    }
    return true
  }
}

/// Standard output did not take what was written.
struct OutputFailed: Error {}
