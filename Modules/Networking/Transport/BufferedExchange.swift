import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// One request on the wire whose response is read as a whole.
///
/// It needs no task of its own: the waiter is resumed once, when the whole response has arrived or
/// the exchange is ended. Ending it closes its connection.
final class BufferedExchange: HTTPClientResponseDelegate {
  typealias Response = Void
  typealias Whole = (head: HTTPResponseHead, body: [UInt8])

  private struct State {
    var continuation: CheckedContinuation<Whole, any Error>?
    var task: HTTPClient.Task<Void>?
    var ending: (any Error)?
    var head: HTTPResponseHead?
    var body: [UInt8] = []
    var isHeadWritten = false
    var bounds: BodyBounds

    mutating func take(ending: any Error) -> CheckedContinuation<Whole, any Error>? {
      guard self.ending == nil else { return nil }
      self.ending = ending
      defer { continuation = nil }
      return continuation
    }
  }

  private let operation: Operation
  private let report: WriteReport?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - limit: the largest body that is read, in bytes.
  ///   - report: receives at the end whether anything may have been written.
  init(limit: Int, operation: Operation, report: WriteReport? = nil) {
    state = Mutex(State(bounds: BodyBounds(limit: limit)))
    self.operation = operation
    self.report = report
  }

  /// True if the head of the request was written, so that there was a connection.
  var isHeadWritten: Bool { state.withLock { $0.isHeadWritten } }

  /// Sends the request and waits for the whole response; call it once per exchange.
  func run(_ request: HTTPClient.Request, over client: HTTPClient) async throws -> Whole {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ending = state.withLock { state in
          if state.ending == nil { state.continuation = continuation }
          return state.ending
        }
        if let ending { return continuation.resume(throwing: ending) }
        report?.attemptBegan()
        let task = client.execute(request: request, delegate: self)
        // Only then is it certain that nothing more is written, whatever has ended it.
        task.futureResult.whenComplete { [self] result in
          report?.attemptEnded(wasWritten: wasWritten(result))
          // A client that is being shut down refuses the task without informing its delegate.
          if case .failure(let error) = result { end(with: error) }
        }
        let late = state.withLock { state in
          state.task = task
          return state.ending
        }
        if let late { task.fail(reason: late) }
      }
    } onCancel: {
      end(with: CancellationError())
    }
  }

  /// Resumes the waiter with an error and closes the connection; a finished exchange is unchanged.
  func end(with error: any Error) {
    let (continuation, task) = state.withLock { state in
      let continuation = state.take(ending: error)
      return (continuation, state.task)
    }
    continuation?.resume(throwing: error)
    task?.fail(reason: error)
  }

  func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
    state.withLock { $0.isHeadWritten = true }
    report?.headWritten()
  }

  private func wasWritten(_ result: Result<Void, any Error>) -> Bool {
    guard !isHeadWritten, case .failure(let error) = result else { return true }
    // It was ended before the head was written; writing and reporting the head are one step.
    if error is CancellationError || error is SessionError { return false }
    return !TransportFailure(error).isBeforeWriting
  }

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    operation.headArrived()
    // The client did not request another protocol, and the following bytes would not be HTTP.
    if head.status == .switchingProtocols {
      end(with: UnaskedUpgrade())
    }
    state.withLock { state in
      state.head = head
      state.bounds = BodyBounds(limit: state.bounds.limit, status: head.status.code)
      let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
      state.body.reserveCapacity(state.bounds.capacity(announced: announced))
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ part: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let (isCut, excess) = state.withLock { state in
      let room = state.bounds.kept - state.body.count
      state.body.append(contentsOf: part.readableBytesView.prefix(room))
      guard part.readableBytes > room else { return (false, nil as SessionError?) }
      return (state.bounds.isCut, .responseTooLarge(limit: state.bounds.limit))
    }
    if isCut {
      finish()
      // The rest is not wanted, so the connection is closed.
      task.fail(reason: CancellationError())
    } else if let excess {
      end(with: excess)
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) { finish() }

  private func finish() {
    let (continuation, whole) = state.withLock { state in
      (state.take(ending: CancellationError()), state.head.map { ($0, state.body) })
    }
    if let whole {
      continuation?.resume(returning: whole)
    } else {
      continuation?.resume(throwing: HTTPClientError.remoteConnectionClosed)
    }
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
    state.withLock { $0.take(ending: error) }?.resume(throwing: error)
  }
}

/// An error for a server that switches to another protocol without a request for it.
struct UnaskedUpgrade: Error {}
