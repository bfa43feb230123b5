import Foundation
import HTTPTypes
import Networking
import Synchronization

/// The wire between a session and a server, which injects faults at chosen requests.
final class FaultyWire: Middleware {
  /// A kind of fault.
  enum Fault: Sendable {
    case answer(Int, HTTPFields = [:], body: String = "")
    case alter(@Sendable ([UInt8]) -> [UInt8])
    /// The connection is lost before the response.
    case loss
    case silence
  }

  private struct Lost: Error {}

  private struct State {
    var requests = 0
    var origins: Set<Origin> = []
    var fault: Fault?
    var numbers = 1...1
    var before: (@Sendable (_ number: Int) async throws -> Void)?
    var isSilenced = false
    var waiting: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  /// Number of requests since the count was last restarted, including retries.
  var requests: Int { state.withLock { $0.requests } }

  var origins: Set<Origin> { state.withLock { $0.origins } }

  /// Restarts the count, and applies a fault to the requests with the given numbers, counted from
  /// 1.
  func apply(_ fault: Fault, at numbers: ClosedRange<Int> = 1...Int.max) {
    state.withLock {
      $0.requests = 0
      ($0.fault, $0.numbers) = (fault, numbers)
    }
  }

  func clear() {
    state.withLock {
      $0.requests = 0
      ($0.fault, $0.before) = (nil, nil)
    }
  }

  /// Runs `edit` before each request, to simulate edits by other people.
  func before(_ edit: @escaping @Sendable (_ number: Int) async throws -> Void) {
    state.withLock { $0.before = edit }
  }

  /// Waits until a request meets ``Fault/silence``, or ``wake()`` is called.
  func silence() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    state.withLock { state in
      if state.isSilenced { continuation.finish() } else { state.waiting.append(continuation) }
    }
    for await _ in stream {}
  }

  /// Ends all waits in ``silence()``.
  func wake() {
    let waiting = state.withLock { state in
      state.isSilenced = true
      return state.waiting
    }
    for continuation in waiting { continuation.finish() }
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let (number, fault, before) = state.withLock { state in
      state.requests += 1
      if let origin = Origin(request.url) { state.origins.insert(origin) }
      let isMet = state.numbers.contains(state.requests)
      return (state.requests, isMet ? state.fault : nil, state.before)
    }
    try await before?(number)
    switch fault {
    case nil: return try await next.send(request)
    case .answer(let status, let fields, let body):
      return StreamingResponse(
        head: HTTPResponse(status: .init(code: status), headerFields: fields),
        body: ResponseBody(Array(body.utf8)), url: request.url)
    case .alter(let alter):
      let response = try await next.send(request)
      let body = try await response.body.collect(upTo: 64 << 20)
      var head = response.head
      head.headerFields[.contentLength] = nil
      return StreamingResponse(head: head, body: ResponseBody(alter(body)), url: response.url)
    case .loss:
      throw SessionError.connectionLost(origin: Origin(request.url), underlying: Lost())
    case .silence:
      wake()
      // This stream has no elements and ends only on cancellation.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
  }
}

/// A rewrite of the first total in a response.
struct TotalRewrite: Sendable {
  let path: [String]

  /// Returns the response with a list as its first total, so that the row cannot be read.
  func breaking(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { _ in Array("[]".utf8) }
  }

  /// A nested list with more levels than any stack has room for.
  private static let nest = Array(
    (String(repeating: #"[{"a":"#, count: 50_000) + "1" + String(repeating: "}]", count: 50_000))
      .utf8)

  /// Returns the response with a deeply nested list as its first total.
  func nesting(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { _ in Self.nest }
  }

  /// Returns the response with such a list after its first total, under an unknown key.
  func nestingBesides(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { $0 + Array(#","nest-of-nobody":"#.utf8) + Self.nest }
  }

  /// The digits of the amount in ``enlarging(_:)``: more than a `Double` holds.
  static let digits = "1234567890123456789"

  /// Returns the response with ``digits`` as its first total, in the server's notation for amounts.
  func enlarging(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { token in
      let quote = token.filter { $0 == UInt8(ascii: "\"") }.prefix(1)
      let hasPoint = token.contains(UInt8(ascii: "."))
      let amount =
        hasPoint ? Self.digits.dropLast(2) + "." + Self.digits.suffix(2) : Self.digits[...]
      return quote + Array(amount.utf8) + quote
    }
  }

  /// Returns the response with another value at ``path``.
  ///
  /// It searches for one key after the other: in every known response, the rows come first, and the
  /// keys appear in this order.
  private func replacing(in body: [UInt8], with value: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var rest = body[...]
    for key in path {
      guard let found = rest.firstRange(of: Array("\"\(key)\":".utf8)) else { return body }
      rest = rest[found.upperBound...].drop { $0 == UInt8(ascii: " ") }
    }
    guard let end = Self.end(ofValueIn: rest) else { return body }
    return body[..<rest.startIndex] + value(Array(rest[..<end])) + body[end...]
  }

  /// Returns the end of the value that a text begins with: a string, a number, or anything else.
  private static func end(ofValueIn text: ArraySlice<UInt8>) -> Int? {
    var isText = false
    for (index, byte) in zip(text.indices, text) {
      if byte == UInt8(ascii: "\"") {
        if isText { return index + 1 }
        isText = true
      } else if !isText, ",}] \n".utf8.contains(byte), index > text.startIndex {
        return index
      }
    }
    return nil
  }
}

/// A server's credentials that pretend to be renewed after each rejection.
final class RenewedCredentials: RequestAuthorizer {
  private let current: Mutex<(any RequestAuthorizer)?>
  private let refusals = Mutex(0)
  private let signIns = Mutex(1)

  init(_ credentials: (any RequestAuthorizer)?) {
    current = Mutex(credentials)
  }

  var login: String { "sign-in \(signIns.withLock { $0 })" }

  func signIn(_ credentials: (any RequestAuthorizer)?) {
    current.withLock { $0 = credentials }
    signIns.withLock { $0 += 1 }
  }

  private var credentials: (any RequestAuthorizer)? { current.withLock { $0 } }

  var renewals: Int { refusals.withLock { $0 } }

  func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    guard let credentials else { return CredentialGeneration(rawValue: 1) }
    return try credentials.authorizeImmediately(&request)
  }

  func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    guard let credentials else { return CredentialGeneration(rawValue: 1) }
    return try await credentials.authorize(&request)
  }

  func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    refusals.withLock { $0 += 1 }
    return true
  }
}
