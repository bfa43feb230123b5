import AsyncAlgorithms

/// Carries a body from the connection to whoever reads it, in a task of its own, so that it can be
/// ended by the session, a deadline, or the reader's leaving.
final class BodyPump: Sendable {
  private let channel = AsyncThrowingChannel<[UInt8], any Error>()
  private let operation: Operation
  private let onEnd: @Sendable () -> Void

  init(_ operation: Operation, onEnd: @escaping @Sendable () -> Void) {
    self.operation = operation
    self.onEnd = onEnd
  }

  deinit { leave() }

  /// The reader has gone.
  private func leave() { operation.end(with: CancellationError()) }

  /// Begins to carry, and answers what is to be read in place of the body.
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
      // Also where the body does not heed that.
      onEnd()
    }
    return ResponseBody(Pieces(pump: self))
  }

  /// Keeps the pump for as long as somebody may read.
  private struct Pieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let pump: BodyPump

    struct Iterator: AsyncIteratorProtocol {
      let pump: BodyPump
      var pieces: AsyncThrowingChannel<[UInt8], any Error>.Iterator

      mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
        guard let piece = try await pieces.next(isolation: actor) else {
          // The channel ends without a word where the reading task was cancelled.
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
