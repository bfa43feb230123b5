import Crypto
import Foundation
import SecureStore
import SystemSupport

extension Authenticator {
  /// Returns the sign-in that an account's requests are sent with, as an opaque text: each new sign-in has
  /// another one, and renewals keep it.
  ///
  /// Where there is no valid token, one is waited for, as the next request would.
  ///
  /// - Throws: ``AuthenticationError``, also where there is no login.
  package func login(of name: String) async throws -> String {
    let entry = try entry(name)
    if let tokens = entry.account.providedTokens { return Self.mark(of: tokens, account: name) }
    if let held = entry.held, held.isUsable(at: time.wall()) { return Self.text(held) }
    return Self.text(try await credential(for: name))
  }

  /// Returns the sign-in that this process last sent requests with; `nil` where it has sent none, or is
  /// signed out.
  package func loginInUse(of name: String) -> String? {
    guard let entry = entries[name], entry.account.providedTokens == nil else { return nil }
    return entry.held.map(Self.text)
  }

  /// Tells whether an account's tokens are handed over at each start, in place of a login that is stored.
  package func isProvided(_ name: String) -> Bool { entries[name]?.account.providedTokens != nil }

  /// A record of the first version says nothing of its sign-in.
  private static func text(_ credential: Credential) -> String {
    credential.login.isEmpty ? "unknown" : credential.login
  }

  /// Tokens that are handed over at each start belong to no sign-in that is stored.
  ///
  /// Two bytes of a digest tell nearly every other token, and a reader of the database next to nothing of
  /// this one.
  private static func mark(of tokens: TokenSet, account: String) -> String {
    let digest = SHA256.hash(
      data: Data("appcore \(account) ".utf8) + Data(tokens.accessToken.exposedBytes))
    return "provided:" + digest.prefix(2).hexadecimal
  }
}
