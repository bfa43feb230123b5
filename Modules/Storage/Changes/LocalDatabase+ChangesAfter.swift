import GRDB

extension LocalDatabase {
  /// Returns the records that have changed since a position, in the order of the commits, those
  /// included that were deleted at the provider or forgotten.
  ///
  /// Follow changes by calling it with the last page's ``ChangePage/next`` until
  /// ``ChangePage/hasMore`` is false, and again after an element of ``changes(every:)``. Each page
  /// is read in one transaction, as of one moment; a record that changes between two pages comes
  /// again. Nothing is missed, and a record that was read again without a change does not come.
  ///
  /// - Parameters:
  ///   - position: the position; `nil` for all records that are stored.
  ///   - kinds: the kinds of records.
  ///   - accounts: the names of the accounts; `nil` for all.
  ///   - limit: the number of changes after which the page ends. A contact comes together with the
  ///     invoices and payments that show its name, so a page may have more.
  /// - Throws: ``StorageError``.
  public func changes(
    after position: ChangePosition?, of kinds: Set<ChangedKind> = Set(ChangedKind.allCases),
    accounts: [String]? = nil, limit: Int = 1_000
  ) async throws -> ChangePage {
    try await readChanges { reader in
      let known = position.flatMap { reader.knows($0) ? $0 : nil }
      var found: [StoredChange] = []
      let (next, hasMore) = try reader.forEach(
        after: known, of: kinds, accounts: accounts
      ) { change in
        found.append(change)
        return found.count < limit
      }
      return ChangePage(
        changes: found, next: next, hasMore: hasMore,
        startsOver: position != nil && known == nil)
    }
  }

  /// Runs a body that reads changes, all as of one moment.
  ///
  /// - Parameter body: it runs on a thread that it may block.
  /// - Throws: ``StorageError``, and what `body` throws.
  package func readChanges<Value: Sendable>(
    _ body: @escaping @Sendable (ChangeReader) throws -> Value
  ) async throws -> Value {
    try await read { try body(ChangeReader($0)) }
  }
}
