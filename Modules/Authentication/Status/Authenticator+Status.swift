import FileLocking

extension Authenticator {
  /// How an account stands, from what is stored; nothing is renewed.
  ///
  /// - Throws: ``AuthenticationError``.
  public func status(of name: String) async throws -> AccountStatus {
    _ = try entry(name)
    let record = try await keeper.record(of: name)
    var status =
      record.map { AccountStatus(account: name, record: $0, now: time.wall()) }
      ?? AccountStatus(signedOut: name)
    status.lockHolder = FileLock.holder(of: lockPath(for: name))
    return status
  }

  /// What happens to logins from now on, here and in other processes; any number may listen, and
  /// leaving the loop ends it.
  public nonisolated func credentialChanges() -> AsyncStream<CredentialChange> {
    changes.stream()
  }
}
