import Foundation
import HTTPTypes
import Networking
import Synchronization
import SystemSupport
import TestSupport

/// One renewal for all who ask, that lasts until the test lets it end.
final class SharedRenewal: RequestAuthorizer {
  /// The token is there once this is open.
  let gate = Gate()
  private let heedsCancellation: Bool
  private let outcome = SharedOutcome<CredentialGeneration>()
  private let task = Mutex<Task<CredentialGeneration, Never>?>(nil)
  private let asked = Counter()
  private let begun = Counter()
  private let answered = Counter()

  init(heedsCancellation: Bool) {
    self.heedsCancellation = heedsCancellation
  }

  /// The number of requests that have asked for a token.
  var requests: Int { asked.value }
  /// The number of those requests that have left, with or without a token.
  var answers: Int { answered.value }
  var renewals: Int { begun.value }

  func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    let renewal = renewal()
    asked.increment()
    defer { answered.increment() }
    let generation = heedsCancellation ? try await outcome.value() : await renewal.value
    request.headerFields[.authorization] = "Bearer \(generation.rawValue)"
    return generation
  }

  func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool { false }

  private func renewal() -> Task<CredentialGeneration, Never> {
    task.withLock { task in
      if let task { return task }
      begun.increment()
      let renewal = Task { [gate, outcome] in
        await gate.wait()
        outcome.resolve(.success(CredentialGeneration(rawValue: 1)))
        return CredentialGeneration(rawValue: 1)
      }
      task = renewal
      return renewal
    }
  }
}

/// A front end's link that holds requests for one path, whatever becomes of them.
final class HangingLink: Middleware {
  /// Opened when a request has come.
  let entered = Gate()
  /// Lets it go on.
  let gate = Gate()
  private let path: String
  private let left = Counter()

  init(path: String) {
    self.path = path
  }

  /// The number of requests that have left this link.
  var departures: Int { left.value }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    guard request.url.path() == path else { return try await next.send(request) }
    entered.open()
    await gate.waitWhateverHappens()
    defer { left.increment() }
    return try await next.send(request)
  }
}

/// A body that never ends.
struct EndlessUpload: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  /// The number of pieces that the reader took.
  let taken = Counter()

  func makeAsyncIterator() -> Iterator { Iterator(taken: taken) }

  struct Iterator: AsyncIteratorProtocol {
    let taken: Counter

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      taken.increment()
      return [UInt8](repeating: 7, count: 64 << 10)
    }
  }
}
