import Foundation
import Glibc
import SystemSupport

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
