import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// One request on the wire whose response is read as a whole.
///
/// It runs in no task of its own: whoever waits is resumed once, when all is there or when it is
/// ended, and ending it closes its connection.
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

    /// Takes who waits, once.
    mutating func take(ending: any Error) -> CheckedContinuation<Whole, any Error>? {
      guard self.ending == nil else { return nil }
      self.ending = ending
      defer { continuation = nil }
      return continuation
    }
  }

  private let limit: Int
  private let operation: Operation
  private let report: WriteReport?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the largest body that is read, in bytes.
  ///   - report: gets at the end whether anything may have been written.
  init(limit: Int, operation: Operation, report: WriteReport? = nil) {
    self.limit = limit
    self.operation = operation
    self.report = report
  }

  /// True if the head of the request was written, so that the connection stood.
  var isHeadWritten: Bool { state.withLock { $0.isHeadWritten } }

  /// Sends the request and waits for the whole response; once for each exchange.
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
        // Only then is it certain that nothing more is written, whoever has ended it.
        task.futureResult.whenComplete { [self] result in
          report?.attemptEnded(wasWritten: wasWritten(result))
          // A client that is being shut down refuses it without a word to its delegate.
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

  /// Gives whoever waits an error and closes the connection; what is over stays as it is.
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
  }

  /// Returns true if anything may have been written, once it is over.
  private func wasWritten(_ result: Result<Void, any Error>) -> Bool {
    guard !isHeadWritten, case .failure(let error) = result else { return true }
    // Ended by us before the head was written, which is one step with the report of it.
    if error is CancellationError || error is SessionError { return false }
    return !TransportFailure(error).isBeforeWriting
  }

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    operation.headArrived()
    // Nobody asked for another protocol, and what follows would not be HTTP.
    if head.status == .switchingProtocols {
      end(with: UnaskedUpgrade())
    }
    state.withLock { state in
      state.head = head
      let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
      // Within reason: a server can announce anything.
      state.body.reserveCapacity(max(0, min(announced, limit, 4 << 20)))
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ part: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let fits = state.withLock { state in
      guard state.body.count + part.readableBytes <= limit else { return false }
      state.body.append(contentsOf: part.readableBytesView)
      return true
    }
    if !fits { end(with: SessionError.responseTooLarge(limit: limit)) }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) {
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

/// A server that changes to another protocol although nobody asked for it.
struct UnaskedUpgrade: Error {}
