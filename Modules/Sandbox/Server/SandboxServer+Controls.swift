public import Models

/// The controls of a sandbox in the same process; `/_sandbox/` offers the same over HTTP.
///
/// Controls of invoices are about the first tenant. A changed invoice gets an `UpdatedDateUTC`
/// that is greater than any other's.
extension SandboxServer {
  /// Tells what the server has seen so far.
  public func statistics() async -> SandboxStatistics {
    state.statistics
  }

  /// Ends every access token, as if its time were up; refresh tokens stay valid.
  public func expireAccessTokens() {
    state.oauth.expireAccessTokens()
  }

  /// Changes how long tokens live that are given out from now on.
  public func setTokenLifetime(_ lifetime: Duration) {
    state.oauth.setTokenLifetime(lifetime)
  }

  /// Edits reference and due date of up to `count` live invoices, chosen by `seed`; answers which.
  @discardableResult
  public func changeInvoices(count: Int, seed: UInt64 = 0) -> [String] {
    state.books.change(count: count, seed: seed)
  }

  /// Voids up to `count` live invoices, unpaid ones first; answers which.
  @discardableResult
  public func voidInvoices(count: Int) -> [String] {
    state.books.void(count: count)
  }

  /// Gives up to `count` live invoices the status `DELETED`, drafts first; answers which.
  ///
  /// As with Xero, they stay listed.
  @discardableResult
  public func deleteInvoices(count: Int) -> [String] {
    state.books.delete(count: count)
  }

  /// Brings back up to `count` deleted invoices as they were, the latest deletion first; answers
  /// which.
  @discardableResult
  public func restoreInvoices(count: Int) -> [String] {
    state.books.restore(count: count)
  }

  /// Adds new invoices; answers which.
  @discardableResult
  public func addInvoices(count: Int) -> [String] {
    state.books.add(count: count)
  }

  /// Arms a fault, behind those that are armed already.
  public func armFault(_ fault: Fault) {
    state.faults.arm([fault])
  }

  /// Disarms every fault.
  public func clearFaults() {
    state.faults.clear()
  }

  /// All invoices as they are now, ordered by their last change, to compare a copy with.
  public func invoices() -> [Invoice] {
    state.books.all.compactMap(\.model)
  }

  /// The identifiers of the tenants, in the order of `GET /connections`.
  public var tenantIDs: [String] {
    state.tenants.map(\.id)
  }
}
