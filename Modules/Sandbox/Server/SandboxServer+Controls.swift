public import Models

/// The controls of a sandbox in the same process; `/_sandbox/` offers the same over HTTP.
///
/// Controls of invoices affect the first tenant. A changed invoice has an `UpdatedDateUTC` later
/// than any other's.
extension SandboxServer {
  /// Returns the counts of requests so far.
  public func statistics() async -> SandboxStatistics {
    state.statistics
  }

  /// Ends every access token, as if it had expired; refresh tokens stay valid.
  public func expireAccessTokens() {
    state.oauth.expireAccessTokens()
  }

  /// Sets the lifetime of tokens issued from now on.
  public func setTokenLifetime(_ lifetime: Duration) {
    state.oauth.setTokenLifetime(lifetime)
  }

  /// Edits reference and due date of up to `count` live invoices, chosen by `seed`.
  ///
  /// - Returns: the identifiers of the changed invoices.
  @discardableResult
  public func changeInvoices(count: Int, seed: UInt64 = 0) -> [String] {
    state.books.change(count: count, seed: seed)
  }

  /// Voids up to `count` live invoices, unpaid ones first; returns their identifiers.
  @discardableResult
  public func voidInvoices(count: Int) -> [String] {
    state.books.void(count: count)
  }

  /// Sets the status `DELETED` of up to `count` live invoices, drafts first; returns their
  /// identifiers.
  ///
  /// As with Xero, they stay listed.
  @discardableResult
  public func deleteInvoices(count: Int) -> [String] {
    state.books.delete(count: count)
  }

  /// Restores up to `count` deleted invoices, the latest deletion first; returns their identifiers.
  @discardableResult
  public func restoreInvoices(count: Int) -> [String] {
    state.books.restore(count: count)
  }

  /// Adds new invoices; returns their identifiers.
  @discardableResult
  public func addInvoices(count: Int) -> [String] {
    state.books.add(count: count)
  }

  /// Arms a fault, after those that are already armed.
  public func armFault(_ fault: Fault) {
    state.faults.arm([fault])
  }

  /// Exchanges tokens from now on without an answer, until ``answerDelayedRequests()``.
  package func holdTokenAnswers() {
    state.tokenLatency = .seconds(3_600)
  }

  /// Answers every delayed request now, and later ones without a fault or a wait for tokens.
  package func answerDelayedRequests() {
    state.tokenLatency = .zero
    state.faults.clear()
    state.connections.endPauses()
  }

  /// Disarms every fault.
  public func clearFaults() {
    state.faults.clear()
  }

  /// Returns all current invoices, ordered by their last change, for comparison with a copy.
  public func invoices() -> [Invoice] {
    state.books.all.compactMap(\.model)
  }

  /// Returns all current invoices of a tenant, ordered by their last change; none if there is no
  /// such tenant.
  public func invoices(of tenantID: String) -> [Invoice] {
    state.tenants.first { $0.id == tenantID }?.ledger.all.compactMap(\.model) ?? []
  }

  /// The identifiers of the tenants, in the order of `GET /connections`.
  public var tenantIDs: [String] {
    state.tenants.map(\.id)
  }
}
