import Foundation
import Glibc
import SystemSupport

/// The pieces of a file, read outside the cooperative thread pool.
struct FileChunks: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  let path: String
  /// The number of bytes to read; a file that has shrunk is an error, one that has grown is
  /// truncated.
  let size: Int

  /// Returns the size of a readable regular file, or `nil`.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0
    else { return nil }
    return Int(status.st_size)
  }

  func makeAsyncIterator() -> Iterator { Iterator(path: path, remaining: size) }

  struct Iterator: AsyncIteratorProtocol {
    private let path: String
    private var remaining: Int
    private var file: FileHandle?

    init(path: String, remaining: Int) {
      self.path = path
      self.remaining = remaining
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      guard remaining > 0 else { return nil }
      let (path, known) = (path, file)
      let wanted = Swift.min(64 << 10, remaining)
      let (handle, data) = try await BlockingWork.run {
        let handle = try known ?? FileHandle(forReadingFrom: URL(filePath: path))
        return (handle, try handle.read(upToCount: wanted) ?? Data())
      }
      guard !data.isEmpty else {
        throw SessionError.invalidRequest(
          reason: "the file with the request's body became shorter while it was sent")
      }
      file = handle
      remaining -= data.count
      return [UInt8](data)
    }
  }
}
