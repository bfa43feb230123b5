import AsyncAlgorithms

/// Carries a body from the connection to its reader, in a task of its own.
///
/// The session, a deadline or the departure of the reader can therefore end it.
final class BodyPump: Sendable {
  private let channel = AsyncThrowingChannel<[UInt8], any Error>()
  private let operation: Operation
  private let onEnd: @Sendable () -> Void

  init(_ operation: Operation, onEnd: @escaping @Sendable () -> Void) {
    self.operation = operation
    self.onEnd = onEnd
  }

  deinit { leave() }

  /// Ends the operation, because the reader has gone.
  private func leave() { operation.end(with: CancellationError()) }

  /// Starts carrying the body, and returns the body to read in its place.
  func body(carrying body: ResponseBody) -> ResponseBody {
    let (channel, operation, onEnd) = (channel, operation, onEnd)
    let task = Task {
      do {
        for try await piece in body {
          await channel.send(piece)
        }
        channel.finish()
      } catch {
        channel.fail(error)
      }
      onEnd()
    }
    operation.continue { error in
      channel.fail(error)
      task.cancel()
      // This also works for a body that ignores the cancellation.
      onEnd()
    }
    return ResponseBody(Pieces(pump: self))
  }

  /// Keeps the pump alive while the body may still be read.
  private struct Pieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let pump: BodyPump

    struct Iterator: AsyncIteratorProtocol {
      let pump: BodyPump
      var pieces: AsyncThrowingChannel<[UInt8], any Error>.Iterator

      mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
        guard let piece = try await pieces.next(isolation: actor) else {
          // The channel ends without an error if the reading task was cancelled.
          guard Task.isCancelled else { return nil }
          pump.leave()
          throw CancellationError()
        }
        return piece
      }
    }

    func makeAsyncIterator() -> Iterator {
      Iterator(pump: pump, pieces: pump.channel.makeAsyncIterator())
    }
  }
}
