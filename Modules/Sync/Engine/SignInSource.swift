/// The source of the sign-in with which an account's requests are sent.
package struct SignInSource: Sendable {
  /// Returns the sign-in as an opaque text: each new sign-in has another one, and renewals keep it.
  package let login: @Sendable () async throws -> String
  /// Returns the sign-in with which this process has sent requests; `nil` if it is signed out, or
  /// if the sign-in never changes.
  package let inUse: @Sendable () async -> String?
  /// True if two sign-ins never have the same text.
  package let isUnique: Bool

  /// Creates the source of a sign-in that never changes.
  package init() {
    self.init(login: { "constant" }, inUse: { nil })
  }

  package init(
    login: @escaping @Sendable () async throws -> String,
    inUse: @escaping @Sendable () async -> String?, isUnique: Bool = true
  ) {
    self.login = login
    self.inUse = inUse
    self.isUnique = isUnique
  }
}
