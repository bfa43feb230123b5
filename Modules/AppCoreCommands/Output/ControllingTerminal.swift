import Glibc
import SystemSupport

/// The terminal of the user, also where standard input is something else, as with `--token-stdin`.
final class ControllingTerminal: Sendable {
  private let descriptor: CInt

  /// `nil` where there is none, as in a service, or where another job has it.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0, tcgetpgrp(descriptor) == getpgrp() else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Asks a question whose answer is `y` or `yes`, else no.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before the answer.
  func confirms(_ question: String) async throws -> Bool {
    let bytes = Array(printable(question).utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    var answer: [UInt8] = []
    while answer.last != UInt8(ascii: "\n") {
      try Task.checkCancellation()
      // Not longer, so that a signal is heeded.
      guard let piece = await read(within: 200) else { continue }
      guard !piece.isEmpty else { break }
      answer += piece
    }
    let word = String(decoding: answer, as: UTF8.self).lowercased()
      .trimmingPrefix(while: \.isWhitespace)
    return ["y", "yes"].contains(String(word.prefix { !$0.isWhitespace }))
  }

  /// What was typed; empty at its end, and `nil` where nothing was within some milliseconds.
  private func read(within milliseconds: Int32) async -> [UInt8]? {
    await BlockingWork.run { [self] in
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, milliseconds) > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = buffer.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      return Array(buffer.prefix(max(0, count)))
    }
  }
}
