import NIOCore

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

/// Bytes in memory, in pieces.
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
