import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import SystemSupport

/// The part of a sandbox's state that outlives the server: its port, its logins, and the changes of
/// its invoices.
///
/// Codes and devices that wait for an approval, faults and counts do not.
struct KeptState: Codable, Sendable {
  var url: String
  var clientID: String
  var machineSecret: String
  var grants: [GrantLedger.Grant]
  var refreshTokens: [String: GrantLedger.RefreshToken]
  var accessTokens: [String: GrantLedger.AccessToken]
  var changes: [LedgerChange]

  init(_ state: SandboxState) {
    let logins = state.oauth.current
    (url, clientID) = (state.issuer, state.oauth.publicClient.id)
    machineSecret = state.oauth.machineSecret
    (grants, changes) = (logins.grants, state.books.state.withLock { $0.changes })
    (refreshTokens, accessTokens) = (logins.refreshTokens, logins.accessTokens)
  }

  /// Reads a file, blocking the thread; returns `nil` if there is none.
  ///
  /// - Throws: ``SandboxError/unreadableFile(path:line:reason:)``.
  static func read(_ path: String) throws -> KeptState? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path),
      let kept = try? JSONDecoder().decode(KeptState.self, from: data)
    else {
      throw SandboxError.unreadableFile(
        path: path, line: nil, reason: "it is not the state of a sandbox")
    }
    return kept
  }

  var port: Int? { URL(string: url)?.port }
}

extension GrantLedger {
  /// Takes over the logins of an earlier server.
  ///
  /// The clock begins again when the machine starts, so an instant to come is one of before: its
  /// access tokens have ended.
  mutating func restore(_ kept: KeptState, at now: Instant) {
    grants = kept.grants
    refreshTokens = kept.refreshTokens.mapValues {
      RefreshToken(grantID: $0.grantID, spentAt: $0.spentAt.map { min($0, now) })
    }
    accessTokens = kept.accessTokens.filter { $1.expiresAt <= now + tokenLifetime }
  }
}

/// The file of a ``KeptState``.
final class StateFile: Sendable {
  private let path: String
  private let writing = Mutex(())

  init(_ path: String) {
    self.path = path
  }

  /// Writes the state; a later call writes a later state.
  func save(_ state: SandboxState) async throws {
    try await BlockingWork.run { [self] in
      try writing.withLock { _ in
        let data = try JSONEncoder().encode(KeptState(state))
        try AtomicFile.replace(path, with: data, isDurable: false)
      }
    }
  }
}

/// Saves the state before the answer to a request that may have changed it.
struct StateMiddleware: RouterMiddleware {
  let state: SandboxState
  let file: StateFile

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    if request.method == .post { try await file.save(state) }
    return response
  }
}
