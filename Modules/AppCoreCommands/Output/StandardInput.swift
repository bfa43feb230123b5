import Foundation
import Glibc
import SystemSupport

/// Standard input, read without keeping anybody from ending the program.
enum StandardInput {
  /// More than any answer of a token endpoint.
  static let limit = 1 << 20

  /// Reads to its end, or to the limit.
  ///
  /// - Throws: `CancellationError` where the program is told to end meanwhile.
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
