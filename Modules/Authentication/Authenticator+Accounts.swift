/// The calls that name an account; each is forwarded to the account's ``AccountLogin``.
extension Authenticator {
  /// Signs an account in, replacing a previous login.
  ///
  /// A caller joins a sign-in of the account that is already in progress, whatever its method, so
  /// that the user is asked once. The sign-in ends when its last caller is cancelled.
  ///
  /// - Throws: ``AuthenticationError``; `CancellationError` if the task is cancelled. A previous
  ///   login is kept unless the new one is stored.
  public func signIn(_ name: String, with method: SignInMethod) async throws -> AccountStatus {
    try await login(name).signIn(with: method)
  }

  /// Stores tokens that a front end obtained itself, replacing a previous login.
  ///
  /// - Throws: ``AuthenticationError``.
  public func setTokens(_ tokens: TokenSet, for name: String) async throws -> AccountStatus {
    try await login(name).signIn(with: .tokens(tokens))
  }

  /// Signs an account out: ends waiters with an error, removes the login, and revokes its tokens.
  ///
  /// It also succeeds offline, and while another process keeps its lock. The report states if the
  /// tokens could not be revoked.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - delegate: shows the server's own sign-out page, if it has one.
  /// - Throws: ``AuthenticationError`` if the login could not be removed from the store.
  public func signOut(
    _ name: String, delegate: (any AuthenticationDelegate)? = nil
  ) async throws -> SignOutReport {
    try await login(name).signOut(delegate: delegate)
  }

  /// Removes the login of an account from this machine without a request to the server, and ends
  /// waiters with an error.
  ///
  /// - Throws: ``AuthenticationError`` if the login could not be removed from the store.
  public func reset(_ name: String) async throws {
    try await login(name).reset()
  }

  /// Returns the state of an account's stored login, without renewing it.
  ///
  /// - Throws: ``AuthenticationError``.
  public func status(of name: String) async throws -> AccountStatus {
    try await login(name).status()
  }

  /// Checks that an account's authorization server responds at all, and returns its origin.
  ///
  /// - Throws: ``AuthenticationError``.
  public func probeServer(of name: String) async throws -> String {
    try await login(name).probeServer()
  }

  /// Returns an account's stored login, also one that was made with another server or client; `nil`
  /// if there is none that could be used.
  ///
  /// - Throws: ``AuthenticationError``.
  public func storedLogin(of name: String) async throws -> StoredLogin? {
    try await login(name).storedLogin()
  }

  /// Stores the organisation that the user chose with the login of an account; renewals keep it.
  ///
  /// - Throws: ``AuthenticationError``, also if there is no login.
  package func chooseOrganisation(_ id: String, name: String?, of account: String) async throws {
    try await login(account).choose(Credential.Organisation(id: id, name: name))
  }

  /// Returns the organisation that the user chose, or that the redirect of the sign-in named; `nil`
  /// if there is neither.
  ///
  /// - Throws: ``AuthenticationError``, also if there is no login.
  package func tenantID(of name: String) async throws -> String? {
    try await login(name).tenantID()
  }

  /// Returns an opaque text that identifies the login of an account.
  ///
  /// Each sign-in has a new one, and renewals keep it. Without a valid token, the call waits for
  /// one, as a request does.
  ///
  /// - Throws: ``AuthenticationError``, also if there is no login.
  package func loginID(of name: String) async throws -> String {
    try await login(name).loginID()
  }

  /// Returns the ID of the login with which this process last sent requests; `nil` if it has sent
  /// none, or is signed out.
  package func currentLoginID(of name: String) async -> String? {
    try? await login(name).currentLoginID
  }

  /// Returns true if the configuration provides an account's tokens, so that no login is stored.
  package func isProvided(_ name: String) -> Bool {
    (try? login(name).account.providedTokens) != nil
  }
}
