import Authentication
import Foundation
import SecureStore
import TestSupport
import Testing

@testable import AppCore

/// Cores with one secret store and one database, for accounts of a described provider that does not
/// name the organisation of a login.
struct SharedLoginScene {
  let folder: TemporaryDirectory
  let server: ScriptedServer
  private let store = InMemorySecretStore()

  /// - Parameter lists: the lists of invoices that the server answers with, one after the other.
  init(_ lists: [String] = []) throws {
    folder = try TemporaryDirectory()
    server = try ScriptedServer(
      lists.map { .body($0) } + [.reset])
  }

  /// The folders of every core.
  var directories: Directories { Directories(below: folder.path) }

  /// Creates a core; the one before must be closed.
  ///
  /// - Parameter accounts: the accounts as YAML, each on a line.
  func core(_ accounts: String...) throws -> ApplicationCore {
    let yaml = """
      accounts:
      \(accounts.map { "  " + $0 }.joined(separator: "\n"))
      sessions: { invoices: { retry: { attempts: 1 } } }
      providers:
        acme:
          kind: rest
          baseURL: \(server.url)
          resources:
            invoices:
              path: /invoices
              rows: .
              document: { path: "/invoices/{id}/pdf" }
              fields: { id: id, type: { value: invoice }, status: state, currency: currency, total: total }
      """
    return try ApplicationCore(CoreConfiguration(yaml: yaml), in: folder, store: store)
  }

  /// Signs an account in with a token that no server has to accept.
  func signIn(_ account: String, to core: ApplicationCore) async throws {
    let tokens = try #require(TokenSet(pasted: "token"))
    _ = try await core.authenticator.setTokens(tokens, for: account)
  }
}
