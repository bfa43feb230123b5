import Foundation
import Glibc
import SystemSupport

/// The user's terminal, which is available even if standard input is not, as with `--token-stdin`.
final class ControllingTerminal: Sendable {
  private let descriptor: CInt

  /// Opens the terminal; returns `nil` if there is none, as in a service, or if another job is in
  /// the foreground.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0, tcgetpgrp(descriptor) == getpgrp() else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Asks a question; returns `true` for the answers `y` and `yes`, and `false` for any other.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the answer.
  func confirms(_ question: String) async throws -> Bool {
    let word = try await line(question)?.lowercased() ?? ""
    return ["y", "yes"].contains(word.prefix { !$0.isWhitespace })
  }

  /// Asks for a line of text; returns `nil` at the end of input.
  ///
  /// - Parameter isSecret: true to hide what is typed.
  /// - Throws: `CancellationError` if the task is cancelled before the answer.
  func line(_ question: String, isSecret: Bool = false) async throws -> String? {
    let shown = isSecret ? hideTyping() : nil
    write(printable(question))
    var answer: [UInt8] = []
    defer {
      if let shown { restore(shown) }
      // The terminal has shown the end of the line only if somebody typed it visibly.
      if shown != nil || answer.last != UInt8(ascii: "\n") { write("\n") }
    }
    while answer.last != UInt8(ascii: "\n") {
      try Task.checkCancellation()
      // Wait only briefly, so that the loop notices a cancellation.
      guard let piece = await read(within: 200) else { continue }
      guard !piece.isEmpty else { break }
      answer += piece
    }
    guard !answer.isEmpty else { return nil }
    let line = String(decoding: answer, as: UTF8.self).trimmingPrefix(while: \.isWhitespace)
    return String(line.reversed().drop(while: \.isWhitespace).reversed())
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Stops the terminal from showing what is typed, and returns its earlier settings.
  private func hideTyping() -> termios? {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    var hidden = settings
    hidden.c_lflag &= ~tcflag_t(ECHO)
    return tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 ? settings : nil
  }

  private func restore(_ settings: termios) {
    var settings = settings
    tcsetattr(descriptor, TCSADRAIN, &settings)
  }

  /// Returns the typed bytes: none at the end of input, and `nil` if nothing arrived in time.
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

/// Standard input, read so that a signal can still end the program.
enum StandardInput {
  /// The number of bytes at which reading stops: more than any response of a token endpoint.
  static let limit = 1 << 20

  /// Reads standard input to its end, or to the limit.
  ///
  /// - Throws: `CancellationError` if the program is asked to end meanwhile.
  static func readToEnd() async throws -> Data {
    guard let data = await BlockingWork.run({ read() }) else { throw CancellationError() }
    return data
  }

  private static func read() -> Data? {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while data.count < limit {
      guard InterruptionFlag.shared.wait(for: STDIN_FILENO, POLLIN) else { return nil }
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      data += buffer[..<count]
    }
    return data
  }
}
