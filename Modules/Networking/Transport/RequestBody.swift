import Foundation
import Glibc
import NIOCore
import SystemSupport

/// The body of a request.
public struct RequestBody: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    case file(path: String, size: Int)
    case stream(length: Int?, chunks: ResponseBody)
  }

  let content: Content

  /// Bytes in memory; they can be sent again.
  public static func bytes(_ bytes: [UInt8]) -> RequestBody {
    RequestBody(content: .bytes(bytes))
  }

  /// A file that is read in pieces while it is sent; it can be sent again.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` if it does not exist or is not a regular
  ///   file.
  public static func file(_ path: String) throws(SessionError) -> RequestBody {
    guard let size = FileChunks.size(of: path) else {
      throw .invalidRequest(reason: "cannot read the file with the request's body")
    }
    return RequestBody(content: .file(path: path, size: size))
  }

  /// A stream of pieces, read at the speed at which the server accepts them.
  ///
  /// It can be read only once, so a request with such a body is never sent again.
  ///
  /// - Parameters:
  ///   - length: the number of bytes, if it is known.
  ///   - chunks: the pieces of the body, in order.
  public static func stream(
    length: Int? = nil, _ chunks: some AsyncSequence<[UInt8], any Error> & Sendable
  ) -> RequestBody {
    RequestBody(content: .stream(length: length, chunks: ResponseBody(chunks)))
  }

  /// The bytes, if they are in memory, for stand-ins of a server.
  package var bytes: [UInt8]? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  /// True if the body can be sent more than once.
  public var isReplayable: Bool {
    if case .stream = content { false } else { true }
  }
}

/// The pieces of a file, read outside the cooperative thread pool.
struct FileChunks: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  let path: String
  /// The number of bytes to read; a file that has shrunk is an error, one that has grown is
  /// truncated.
  let size: Int

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

/// A request's body while it is sent; a wait for its pieces does not count as silence of the
/// server.
struct UploadChunks: AsyncSequence, Sendable {
  typealias Element = ByteBuffer
  typealias Failure = any Error

  /// The size of the pieces in which bytes in memory are sent.
  static let size = 64 << 10

  private let chunks: ResponseBody
  private let operation: Operation

  init(_ chunks: ResponseBody, _ operation: Operation) {
    self.chunks = chunks
    self.operation = operation
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(chunks: chunks.makeAsyncIterator(), operation: operation)
  }

  struct Iterator: AsyncIteratorProtocol {
    var chunks: ResponseBody.AsyncIterator
    let operation: Operation

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> ByteBuffer? {
      operation.pause()
      defer { operation.heard() }
      do {
        return try await chunks.next(isolation: actor).map { ByteBuffer(bytes: $0) }
      } catch {
        throw UploadFailure(underlying: error)
      }
    }
  }
}

/// An error for a request body that cannot be read, which is not the network's fault.
struct UploadFailure: Error {
  let underlying: any Error
}

struct MemoryChunks: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  let bytes: [UInt8]

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...]) }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<UInt8>

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(UploadChunks.size) }
      return Array(rest.prefix(UploadChunks.size))
    }
  }
}
