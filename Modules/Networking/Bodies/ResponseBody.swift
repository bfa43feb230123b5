/// The body of a response, in pieces as they arrive; the server waits while nobody reads.
///
/// It can be read once. Releasing it before its end closes the connection.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A piece of the body, never empty.
  public typealias Element = [UInt8]
  /// ``SessionError``, or `CancellationError` if the reading task is cancelled.
  public typealias Failure = any Error

  private enum Source: Sendable {
    case whole([UInt8])
    case pieces(@Sendable () -> AsyncIterator)
  }

  private let source: Source

  /// Creates a body from bytes.
  public init(_ bytes: [UInt8]) {
    source = .whole(bytes)
  }

  /// Creates a body from a sequence of pieces.
  public init(_ pieces: some AsyncSequence<[UInt8], any Error> & Sendable) {
    source = .pieces {
      var iterator = pieces.makeAsyncIterator()
      return AsyncIterator { try await iterator.next(isolation: #isolation) }
    }
  }

  /// The bytes, if all of them are in memory.
  var whole: [UInt8]? {
    if case .whole(let bytes) = source { bytes } else { nil }
  }

  var isWhole: Bool { whole != nil }

  /// Reads the rest of the body.
  ///
  /// - Throws: ``SessionError/responseTooLarge(limit:)`` if the rest is larger than `limit` bytes.
  public func collect(upTo limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in self {
      guard bytes.count + piece.count <= limit else {
        throw SessionError.responseTooLarge(limit: limit)
      }
      bytes += piece
    }
    return bytes
  }

  /// Starts reading.
  public func makeAsyncIterator() -> AsyncIterator {
    switch source {
    case .pieces(let make): return make()
    case .whole(let bytes):
      var rest = bytes.isEmpty ? nil : bytes
      return AsyncIterator {
        defer { rest = nil }
        return rest
      }
    }
  }

  /// An iterator over the pieces.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let read: () async throws -> [UInt8]?

    /// Returns the next piece, or `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [UInt8]? {
      try await read()
    }
  }
}
