import GRDB
package import Models

extension LocalDatabase {
  /// Calls a function with each invoice that a query finds and its files, as of one moment.
  ///
  /// - Parameters:
  ///   - query: selects and orders the invoices.
  ///   - body: the function; it runs on a thread that it may block, and the reading waits for it.
  ///     An error that it throws ends the reading.
  /// - Throws: ``StorageError``, and what `body` throws.
  public func forEachDocumentedInvoice(
    matching query: InvoiceQuery,
    _ body: @escaping @Sendable (DocumentedInvoice) throws -> Void
  ) async throws {
    try await read(matching: query) { db, query in
      let reader = try DocumentReader(db)
      for key in try query.keys(db) {
        if let invoice = try reader.invoice(key) { try body(invoice) }
      }
    }
  }

  /// Finds the invoices with given keys, each with its files; one that is no longer stored is
  /// missing in the result.
  ///
  /// - Throws: ``StorageError``.
  public func documentedInvoices(
    withKeys keys: some Collection<InvoiceKey> & Sendable
  ) async throws -> [DocumentedInvoice] {
    try await read { db in
      let reader = try DocumentReader(db)
      return try keys.compactMap { try reader.invoice($0) }
    }
  }

  /// Finds the states of the files of the invoices with given keys, without reading the invoices.
  ///
  /// - Throws: ``StorageError``.
  package func documentStates(
    withKeys keys: some Collection<InvoiceKey> & Sendable
  ) async throws -> [DocumentStates] {
    try await read { db in
      let reader = try DocumentStateReader(db)
      return try keys.compactMap { try reader.states($0) }
    }
  }

  /// Finds the invoices of a name, as ``invoices(named:account:)`` does, each with its files.
  ///
  /// - Returns: at most ten invoices.
  /// - Throws: ``StorageError``.
  public func documentedInvoices(
    named idOrNumber: String, account: String?
  ) async throws -> [DocumentedInvoice] {
    let named = try await invoices(named: idOrNumber, account: account)
    return try await read { db in
      let reader = try DocumentReader(db)
      return try named.compactMap { stored in
        try Int64.fetchOne(
          db,
          sql: """
            SELECT invoice.row FROM invoice JOIN account ON account.row = invoice.account
            WHERE account.name = ? AND invoice.id = ?
            """, arguments: [stored.account, stored.invoice.id]
        ).flatMap { try reader.invoice(InvoiceKey(row: $0)) }
      }
    }
  }

  /// Returns the objects of an account's files, also of those that a later version replaced.
  ///
  /// - Parameter account: the account; `nil` for all.
  /// - Throws: ``StorageError``.
  package func storedObjects(account: String?) async throws -> [String] {
    try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT sha256 FROM document JOIN account ON account.row = document.account
          WHERE sha256 IS NOT NULL AND (? IS NULL OR account.name = ?) ORDER BY sha256
          """, arguments: [account, account])
    }
  }

  /// Returns those objects that no file has any more, of several.
  ///
  /// - Throws: ``StorageError``.
  package func unreferenced(objects: [String]) async throws -> [String] {
    try await read { db in
      let statement = try BoundStatement(db, "SELECT 1 FROM document WHERE sha256 = ? LIMIT 1")
      return try objects.filter { object in
        try statement.bind(object, at: 1)
        return try statement.first { _ in true } == nil
      }
    }
  }

  /// Forgets objects that are damaged: their files are missing again, and older versions are gone.
  ///
  /// - Returns: the invoices whose files are missing now, by account, and the rows of all files.
  /// - Throws: ``StorageError``.
  package func forgetObjects(
    _ objects: [String]
  ) async throws -> (invoices: [String: [InvoiceKey]], files: [Int64]) {
    try await write { db in
      var found: [String: Set<InvoiceKey>] = [:]
      var files: [Int64] = []
      for object in objects {
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT account.name, invoice.row FROM document
            JOIN account ON account.row = document.account
            JOIN invoice ON invoice.account = account.row AND invoice.id = document.invoice_id
            WHERE sha256 = ? AND replaced_at IS NULL
            """, arguments: [object])
        while let row = try rows.next() {
          found[row[0], default: []].insert(InvoiceKey(row: row[1]))
        }
        files += try Int64.fetchAll(
          db.cachedStatement(
            sql: """
              UPDATE document SET sha256 = NULL, fetched_at = NULL,
                state = iif(replaced_at IS NULL, 'missing', 'gone') WHERE sha256 = ? RETURNING row
              """), arguments: [object])
      }
      return (found.mapValues(Array.init), files)
    }
  }

  /// Returns the number of files without an object, of several.
  ///
  /// - Throws: ``StorageError``.
  package func countWithoutObject(_ files: [Int64]) async throws -> Int {
    try await read { db in
      let statement = try BoundStatement(
        db, "SELECT 1 FROM document WHERE row = ? AND sha256 IS NULL")
      return try files.count { file in
        try statement.bind(file, at: 1)
        return try statement.first { _ in true } != nil
      }
    }
  }

  /// Returns the invoices of an account with a stored file that has no name in the folder for
  /// people, in the order in which they were stored.
  ///
  /// - Throws: ``StorageError``.
  package func invoicesWithUnnamedFiles(account: String) async throws -> [InvoiceKey] {
    try await read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT invoice.row FROM document
          JOIN account ON account.row = document.account
          JOIN invoice ON invoice.account = account.row AND invoice.id = document.invoice_id
          WHERE account.name = ? AND sha256 IS NOT NULL AND file_name IS NULL
            AND replaced_at IS NULL
          ORDER BY invoice.row
          """, arguments: [account]
      ).map(InvoiceKey.init)
    }
  }

  /// Returns the paths that were chosen in the folder for people.
  ///
  /// - Throws: ``StorageError``.
  package func documentFileNames() async throws -> [String] {
    try await read { db in
      try String.fetchAll(
        db, sql: "SELECT file_name FROM document WHERE file_name IS NOT NULL ORDER BY row")
    }
  }

  /// Stores the states of files in one transaction.
  ///
  /// - Throws: ``StorageError``.
  package func record(_ documents: [StoredDocument], at now: Timestamp) async throws {
    try await write { db in
      let writer = DocumentWriter(db: db, now: now)
      for document in documents { try writer.write(document) }
    }
  }

  /// Stores the list of an invoice's attachments; those that it lacks are gone.
  ///
  /// - Throws: ``StorageError``.
  package func record(
    attachments: [StoredDocument], of invoice: DocumentedInvoice, at now: Timestamp
  ) async throws {
    try await write { db in
      try DocumentWriter(db: db, now: now).write(
        attachments: attachments, of: invoice.stored.invoice.id, account: invoice.stored.account,
        version: invoice.fingerprint)
    }
  }
}
