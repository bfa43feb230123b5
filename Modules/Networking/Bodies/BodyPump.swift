/// Carries a body from the connection to its reader, in a task of its own.
///
/// The session, a deadline or the departure of the reader can therefore end it.
final class BodyPump: Sendable {
  private let channel = BodyChannel()
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
        channel.end()
      } catch {
        channel.end(error)
      }
      onEnd()
    }
    operation.continue { error in
      channel.end(error)
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

      mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
        do {
          return try await pump.channel.next()
        } catch is CancellationError where Task.isCancelled {
          pump.leave()
          throw CancellationError()
        }
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pump: pump) }
  }
}
