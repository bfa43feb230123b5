import AsyncHTTPClient
import NIOCore

/// A body from the transport, with the transport's errors translated into the session's.
struct TransportBody: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  let body: HTTPClientResponse.Body
  let limit: Int
  let ratio: Int
  let operation: Operation
  let counters: SessionCounters
  let origin: Origin
  let session: String

  func makeAsyncIterator() -> Iterator {
    Iterator(pieces: body.makeAsyncIterator(), body: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    var pieces: HTTPClientResponse.Body.AsyncIterator
    let body: TransportBody

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      do {
        body.operation.heard()
        guard let piece = try await pieces.next(isolation: actor) else { return nil }
        // Until the next piece is requested, silence is not the server's.
        body.operation.pause()
        body.counters.update { $0.bytesReceived += piece.readableBytes }
        return Array(piece.readableBytesView)
      } catch {
        throw TransportFailure(error).error(
          origin: body.origin, session: body.session, ratio: body.ratio)
      }
    }
  }

  /// Reads the whole body, within the limit.
  ///
  /// - Parameters:
  ///   - status: the status of the response, of which an error is cut short.
  ///   - announced: the announced length; memory for it is reserved up to a limit.
  func collect(status: Int, announced: Int?) async throws -> [UInt8] {
    let bounds = BodyBounds(limit: limit, status: UInt(Swift.max(0, status)))
    var bytes: [UInt8] = []
    if let announced { bytes.reserveCapacity(bounds.capacity(announced: announced)) }
    for try await piece in body {
      operation.heard()
      let room = bounds.kept - bytes.count
      bytes.append(contentsOf: piece.readableBytesView.prefix(room))
      guard piece.readableBytes > room else { continue }
      guard bounds.isCut else { throw SessionError.responseTooLarge(limit: limit) }
      break
    }
    let count = bytes.count
    counters.update { $0.bytesReceived += count }
    return bytes
  }
}

/// The part of a body that is read as a whole.
///
/// Only the beginning of an error is read: it is shown to people, and a server, or a stranger
/// before it, may send as much as a page of records.
struct BodyBounds {
  /// The largest part of an error that is kept, in bytes.
  private static let error = 1 << 20

  let limit: Int
  let kept: Int

  /// - Parameter status: the status of the response; 200 until it has arrived.
  init(limit: Int, status: UInt = 200) {
    self.limit = limit
    kept = status < 400 ? limit : min(limit, Self.error)
  }

  /// True if a larger body is cut short; otherwise it is refused.
  var isCut: Bool { kept < limit }

  /// Returns the memory to reserve; only up to a limit, because a server can announce any length.
  func capacity(announced: Int) -> Int { max(0, min(announced, kept, 4 << 20)) }
}
