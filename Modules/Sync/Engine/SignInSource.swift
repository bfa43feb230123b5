/// The sign-in that an account's requests are sent with.
package struct SignInSource: Sendable {
  /// Returns it as an opaque text: each new sign-in has another one, and renewals keep it.
  package let login: @Sendable () async throws -> String
  /// Returns the one that this process has sent requests with; `nil` where it is signed out, or there is
  /// no other one.
  package let inUse: @Sendable () async -> String?
  /// Whether two sign-ins never have the same text.
  package let isUnique: Bool

  /// One that never changes.
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
