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

  /// Returns the objects of files of accounts, also of those that a later version replaced.
  ///
  /// - Throws: ``StorageError``.
  package func storedObjects(accounts: [String]) async throws -> [String] {
    try await read { db in
      var found: Set<String> = []
      for account in accounts {
        found.formUnion(
          try String.fetchAll(
            db,
            sql: """
              SELECT sha256 FROM document JOIN account ON account.row = document.account
              WHERE sha256 IS NOT NULL AND account.name = ?
              """, arguments: [account]))
      }
      return found.sorted()
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

  /// Returns the invoices whose files are among objects, by account.
  ///
  /// - Throws: ``StorageError``.
  package func invoices(withObjects objects: [String]) async throws -> [String: [InvoiceKey]] {
    try await read { db in
      var found: [String: Set<InvoiceKey>] = [:]
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
      }
      return found.mapValues(Array.init)
    }
  }

  /// Forgets the objects of files that nobody can fetch again: of earlier versions, of deleted
  /// invoices, and of what the provider has no longer.
  ///
  /// - Parameters:
  ///   - objects: the objects, which are damaged.
  ///   - instant: a version that was replaced after it has been fetched again.
  /// - Returns: the number of files that are lost.
  /// - Throws: ``StorageError``.
  package func forgetLostFiles(
    of objects: [String], before instant: Timestamp
  ) async throws -> Int {
    try await write { db in
      var lost = 0
      for object in objects {
        let replaced = try Row.fetchAll(
          db.cachedStatement(
            sql: """
              UPDATE document SET sha256 = NULL, fetched_at = NULL, state = 'gone'
              WHERE sha256 = ? AND (replaced_at IS NOT NULL OR state = 'gone'
                OR NOT EXISTS (SELECT 1 FROM invoice
                  WHERE invoice.account = document.account AND invoice.id = document.invoice_id
                    AND deleted_at IS NULL))
              RETURNING replaced_at
              """), arguments: [object])
        lost += replaced.count { row in
          (row[0] as Int64?).map { $0 < instant.microsecondsSinceEpoch } ?? true
        }
      }
      return lost
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

  /// Stores the paths that were chosen for files in the folder for people.
  ///
  /// One of which another version has come meanwhile keeps none.
  ///
  /// - Throws: ``StorageError``.
  package func recordNames(of documents: [StoredDocument]) async throws {
    guard !documents.isEmpty else { return }
    try await write { db in
      let statement = try db.cachedStatement(
        sql: """
          UPDATE document SET file_name = ?
          WHERE account = (SELECT row FROM account WHERE name = ?) AND invoice_id = ? AND kind = ?
            AND id = ? AND sha256 = ? AND replaced_at IS NULL
          """)
      for document in documents {
        try statement.execute(arguments: [
          document.fileName, document.account, document.invoiceID, document.kind.rawValue,
          document.id, document.sha256,
        ])
      }
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
