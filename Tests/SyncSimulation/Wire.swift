import Foundation
import HTTPTypes
import Networking
import SecureStore
import Synchronization

/// The lifetime of a program.
final class Life: Sendable {
  /// The program has ended, so its pending actions do not happen.
  struct Gone: Error {}

  private let ended = Atomic(false)

  var isOver: Bool { ended.load(ordering: .acquiring) }

  func end() { ended.store(true, ordering: .releasing) }
}

/// The end of a session's chain, at which requests leave the program.
struct Wire: Middleware {
  let world: World
  let life: Life
  let canceller: Canceller
  let isForTokens: Bool

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    guard !life.isOver else { throw Life.Gone() }
    let fate =
      isForTokens
      ? world.exchange(String(decoding: request.body?.bytes ?? [], as: UTF8.self))
      : world.fetch(request)
    guard !life.isOver else { throw Life.Gone() }
    let origin = Origin(request.url)
    switch fate {
    case .answered(let status, let text, let retryAfter, let date):
      var head = HTTPResponse(status: .init(code: status))
      if let retryAfter { head.headerFields[.retryAfter] = "\(retryAfter)" }
      head.headerFields[.date] = date
      return StreamingResponse(
        head: head, body: ResponseBody(Array(text.utf8)), url: request.url)
    case .notSent:
      throw SessionError.connectionFailed(origin: origin, underlying: Life.Gone())
    case .lost: throw SessionError.connectionLost(origin: origin, underlying: Life.Gone())
    case .cancel:
      canceller.cancel()
      throw CancellationError()
    case .crash:
      life.end()
      throw Life.Gone()
    }
  }
}

/// A program's handle on the keyring, which outlives it.
struct LivingStore: SecretStore {
  let backing: InMemorySecretStore
  let life: Life
  let identity: String

  private func check() throws {
    if life.isOver { throw SecretStoreError.locked }
  }

  func secret(for key: SecretKey) async throws -> Secret? {
    try check()
    return try await backing.secret(for: key)
  }

  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try check()
    try await backing.store(secret, for: key, label: label)
  }

  func removeSecret(for key: SecretKey) async throws -> Bool {
    try check()
    return try await backing.removeSecret(for: key)
  }

  func unlock() async throws {}

  func checkAvailability() async throws -> SecretStoreDescription {
    try await backing.checkAvailability()
  }
}
