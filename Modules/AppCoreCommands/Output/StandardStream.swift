import Foundation
import Glibc
import Synchronization

/// Standard output or standard error, written so that a stalled reader cannot keep the program from
/// ending.
///
/// A pipe or a terminal is opened once more, as a separate file description that does not block.
/// Making the inherited description non-blocking would change it for every program that shares it.
final class StandardStream: Sendable {
  enum Outcome: Equatable {
    case written
    /// Nobody reads any more, as after `| head`; this is not an error.
    case readerLeft
    /// The program was asked to end while the reader did not read on.
    case interrupted
    case failed
  }

  static let output = StandardStream(STDOUT_FILENO, patience: 0)
  /// Standard error; after a signal, its reader has 100 ms to take the last messages.
  static let error = StandardStream(STDERR_FILENO, patience: 100)

  private enum Way {
    /// A file, or a device that takes bytes without waiting.
    case plain
    case withoutBlocking(CInt)
    case socket
    /// A pipe or terminal that cannot be opened again: written in small pieces when `poll` reports
    /// room.
    case piecemeal
  }

  /// Number of bytes that a pipe (`PIPE_BUF`, pipe(7)) or a terminal has room for when it is
  /// writable.
  private static let piece = 256

  private let descriptor: CInt
  private let flag: InterruptionFlag
  private let way: Way
  /// Milliseconds that a reader may take after a signal; 0 once a reader has exceeded them.
  private let patience: Mutex<CInt>
  private let errorCode = Mutex<CInt>(0)

  init(_ descriptor: CInt, patience: CInt, flag: InterruptionFlag = .shared) {
    self.descriptor = descriptor
    self.flag = flag
    self.patience = Mutex(patience)
    way = Self.way(to: descriptor)
  }

  deinit { if case .withoutBlocking(let own) = way { close(own) } }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  var columns: Int? { window.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil } }
  var rows: Int? { window.map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

  /// The size of the terminal, asked for each time, since a window can change.
  private var window: winsize? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Writes a whole text; blocks the thread until the reader has taken it.
  func write(_ text: [UInt8]) -> Outcome {
    patience.withLock { patience in
      var rest = text[...]
      while !rest.isEmpty {
        if case .piecemeal = way, !flag.wait(for: descriptor, POLLOUT, patience: patience) {
          patience = 0
          return .interrupted
        }
        let count = rest.withUnsafeBytes { attempt($0) }
        if count >= 0 {
          rest = rest.dropFirst(count)
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          guard flag.wait(for: polled, POLLOUT, patience: patience) else {
            patience = 0
            return .interrupted
          }
        case EPIPE: return .readerLeft
        case let code:
          errorCode.withLock { $0 = code }
          return .failed
        }
      }
      return .written
    }
  }

  /// The cause of the last failure; `nil` if there was none.
  var failure: POSIXErrorCode? {
    errorCode.withLock { $0 == 0 ? nil : POSIXErrorCode(rawValue: $0) }
  }

  private var polled: CInt {
    if case .withoutBlocking(let own) = way { own } else { descriptor }
  }

  private func attempt(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch way {
    case .plain: Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    case .withoutBlocking(let own): Glibc.write(own, bytes.baseAddress, bytes.count)
    case .socket:
      send(
        descriptor, bytes.baseAddress, bytes.count,
        Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    case .piecemeal:
      Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Self.piece))
    }
  }

  private static func way(to descriptor: CInt) -> Way {
    var found = stat()
    guard fstat(descriptor, &found) == 0 else { return .plain }
    switch found.st_mode & S_IFMT {
    case S_IFSOCK: return .socket
    case S_IFIFO: break
    case S_IFCHR where isatty(descriptor) == 1: break
    default: return .plain
    }
    let own = open(
      "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return own >= 0 ? .withoutBlocking(own) : .piecemeal
  }
}
