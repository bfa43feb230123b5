import Synchronization

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

  private func leave() { operation.end(with: CancellationError()) }

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

/// A channel that hands the pieces of a body to its reader, one at a time.
///
/// The sender waits until the reader has taken a piece, so nothing is read ahead of it. One task
/// sends and one reads; any thread may end the channel.
final class BodyChannel: Sendable {
  private enum State {
    case empty
    case offered([UInt8], CheckedContinuation<Void, Never>)
    case awaited(CheckedContinuation<[UInt8]?, any Error>)
    case ended((any Error)?)
  }

  private let state = Mutex(State.empty)

  /// Offers a piece, and waits until the reader has taken it or the channel has ended.
  func send(_ piece: [UInt8]) async {
    await withCheckedContinuation { sender in
      let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
        switch state {
        case .empty:
          state = .offered(piece, sender)
          return nil
        case .awaited(let reader):
          state = .empty
          sender.resume()
          return reader
        case .offered, .ended:
          sender.resume()
          return nil
        }
      }
      reader?.resume(returning: piece)
    }
  }

  /// Ends the channel; without an error, the body was complete.
  ///
  /// The first end counts. A piece that nobody has taken by then is dropped.
  func end(_ error: (any Error)? = nil) {
    let earlier = state.withLock { state in
      defer { if case .ended = state {} else { state = .ended(error) } }
      return state
    }
    switch earlier {
    case .empty, .ended: break
    case .offered(_, let sender): sender.resume()
    case .awaited(let reader): reader.resume(with: Self.result(of: error))
    }
  }

  /// Returns the next piece, or `nil` at the end.
  ///
  /// - Throws: The error with which the channel ended, or `CancellationError` if the task that
  ///   reads is cancelled.
  func next() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reader in
        state.withLock { state in
          // Under the lock: a later cancellation finds the reader that is stored here.
          guard !Task.isCancelled else { return reader.resume(throwing: CancellationError()) }
          switch state {
          case .empty: state = .awaited(reader)
          case .offered(let piece, let sender):
            state = .empty
            sender.resume()
            reader.resume(returning: piece)
          case .awaited(let other):
            // A piece can go to one reader alone.
            other.resume(throwing: CancellationError())
            state = .awaited(reader)
          case .ended(let error): reader.resume(with: Self.result(of: error))
          }
        }
      }
    } onCancel: {
      let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
        guard case .awaited(let reader) = state else { return nil }
        state = .empty
        return reader
      }
      reader?.resume(throwing: CancellationError())
    }
  }

  private static func result(of error: (any Error)?) -> Result<[UInt8]?, any Error> {
    error.map { .failure($0) } ?? .success(nil)
  }
}
