/// The body of a response as it comes, in pieces; the server is held back while nobody reads.
///
/// It is read once. Letting go of it before its end closes the connection.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A piece, never empty.
  public typealias Element = [UInt8]
  /// ``SessionError``, or `CancellationError` where the reading task is cancelled.
  public typealias Failure = any Error

  private enum Source: Sendable {
    case whole([UInt8])
    case pieces(@Sendable () -> AsyncIterator)
  }

  private let source: Source

  /// A body that is there.
  public init(_ bytes: [UInt8]) {
    source = .whole(bytes)
  }

  /// A body that comes in pieces.
  public init(_ pieces: some AsyncSequence<[UInt8], any Error> & Sendable) {
    source = .pieces {
      var iterator = pieces.makeAsyncIterator()
      return AsyncIterator { try await iterator.next(isolation: #isolation) }
    }
  }

  /// The bytes, where all are there.
  var whole: [UInt8]? {
    if case .whole(let bytes) = source { bytes } else { nil }
  }

  var isWhole: Bool { whole != nil }

  /// Reads all that is left.
  ///
  /// - Throws: ``SessionError/responseTooLarge(limit:)`` where that is more than `limit` bytes.
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

  /// Begins to read.
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

  /// Reads piece by piece.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let read: () async throws -> [UInt8]?

    /// The next piece, or `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [UInt8]? {
      try await read()
    }
  }
}
