import GRDB
import Models

extension Schema {
  /// The files of invoices, and the versions of invoices whose attachments were listed.
  ///
  /// A row belongs to an invoice by its identifier, not by its row: a file outlives its invoice. A
  /// row that a later version of the file has replaced stays, with the time.
  static let documents = """
    CREATE TABLE document (
      row INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account(row),
      invoice_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('pdf','attachment','ubl')),
      id TEXT NOT NULL,
      name TEXT, media_type TEXT, size INTEGER, sha256 TEXT, provider_hash TEXT,
      state TEXT NOT NULL
        CHECK (state IN ('missing','stored','gone','unsupported','failed')),
      error_code TEXT,
      fetched_at INTEGER,
      file_name TEXT,
      fingerprint INTEGER,
      replaced_at INTEGER,
      CHECK (state <> 'stored' OR sha256 IS NOT NULL)
    ) STRICT;
    CREATE UNIQUE INDEX document_of_invoice
      ON document(account, invoice_id, kind, id) WHERE replaced_at IS NULL;
    CREATE INDEX document_by_object ON document(sha256) WHERE sha256 IS NOT NULL;

    CREATE TABLE attachment_listing (
      account INTEGER NOT NULL REFERENCES account(row),
      invoice_id TEXT NOT NULL,
      fingerprint INTEGER NOT NULL,
      PRIMARY KEY (account, invoice_id)
    ) STRICT, WITHOUT ROWID;
    """

  /// The view of files for users and their programs.
  static let documentView = """
    CREATE VIEW documents AS
      SELECT account.name AS account, document.invoice_id, invoice.number AS invoice_number,
        document.kind, document.id, document.name, document.media_type, document.size,
        document.sha256, document.provider_hash, document.state, document.error_code,
        \(instant("document.fetched_at")) AS fetched_at, document.file_name,
        invoice.fingerprint IS NOT document.fingerprint AS is_stale,
        \(instant("document.replaced_at")) AS replaced_at
      FROM document JOIN account ON account.row = document.account
      LEFT JOIN invoice
        ON invoice.account = document.account AND invoice.id = document.invoice_id;
    """
}

/// Reads the files of invoices.
struct DocumentReader {
  private let row: InvoiceRow
  private let state: BoundStatement
  private let documents: BoundStatement
  private let attachments: BoundStatement

  init(_ db: Database) throws {
    var query = InvoiceQuery()
    query.includesLines = false
    row = try InvoiceRow(db, query)
    state = try BoundStatement(
      db,
      """
      SELECT invoice.fingerprint, invoice.account, (
          SELECT fingerprint FROM attachment_listing AS listing
          WHERE listing.account = invoice.account AND listing.invoice_id = invoice.id)
      FROM invoice WHERE row = ?
      """)
    documents = try BoundStatement(
      db,
      """
      SELECT kind, id, name, media_type, size, sha256, provider_hash, state, error_code, fetched_at,
        file_name, fingerprint
      FROM document WHERE account = ? AND invoice_id = ? AND replaced_at IS NULL
      ORDER BY kind <> 'pdf', kind, row
      """)
    attachments = try BoundStatement(
      db,
      """
      SELECT \(FieldDescription.columns(of: AttachmentReference.self).joined(separator: ", "))
      FROM attachment WHERE invoice = ? ORDER BY position
      """)
  }

  /// Returns an invoice with its files; `nil` if it is no longer stored.
  func invoice(_ key: InvoiceKey) throws -> DocumentedInvoice? {
    guard let stored = try row.invoice(key) else { return nil }
    return try documented(stored, at: key.row)
  }

  private func documented(_ stored: StoredInvoice, at key: Int64) throws -> DocumentedInvoice? {
    var stored = stored
    try attachments.bind(key, at: 1)
    var found: [AttachmentReference] = []
    try attachments.forEachRow { columns in
      var values = RowValues(columns)
      found.append(try values.record())
    }
    stored.invoice.attachments = found
    try state.bind(key, at: 1)
    let facts = try state.first { columns -> (Int64, Int64, Int64?) in
      var values = RowValues(columns)
      return (
        try StoredValue.required(values.integer()), try StoredValue.required(values.integer()),
        values.integer()
      )
    }
    guard let (fingerprint, account, listed) = facts else { return nil }
    return DocumentedInvoice(
      key: InvoiceKey(row: key), stored: stored,
      documents: try documents(
        of: stored.invoice.id, account, named: stored.account, at: fingerprint),
      fingerprint: fingerprint, listedFingerprint: listed)
  }

  private func documents(
    of invoice: String, _ account: Int64, named name: String, at version: Int64
  ) throws -> [StoredDocument] {
    try documents.bind(account, at: 1)
    try documents.bind(invoice, at: 2)
    var found: [StoredDocument] = []
    try documents.forEachRow { columns in
      var values = RowValues(columns)
      var document = StoredDocument(
        account: name, invoiceID: invoice, kind: try values.word(),
        id: try StoredValue.required(values.text()))
      document.name = values.text()
      document.mediaType = values.text()
      document.size = values.integer().map { Int($0) }
      document.sha256 = values.text()
      document.providerHash = values.text()
      document.state = try values.word()
      document.errorCode = values.text()
      document.fetchedAt = values.instant()
      document.fileName = values.text()
      document.fingerprint = values.integer()
      document.isStale = document.kind != .attachment && document.fingerprint != version
      found.append(document)
    }
    return found
  }
}

/// Reads the states of files, with one statement for each invoice.
struct DocumentStateReader {
  private let statement: BoundStatement

  init(_ db: Database) throws {
    statement = try BoundStatement(
      db,
      """
      SELECT invoice.id, invoice.type, invoice.status, invoice.deleted_at IS NOT NULL,
        invoice.fingerprint, listing.fingerprint, document.kind, document.state, document.fingerprint
      FROM invoice
      LEFT JOIN attachment_listing AS listing
        ON listing.account = invoice.account AND listing.invoice_id = invoice.id
      LEFT JOIN document ON document.account = invoice.account
        AND document.invoice_id = invoice.id AND document.replaced_at IS NULL
      WHERE invoice.row = ?
      """)
  }

  /// Returns the states of an invoice's files; `nil` if it is no longer stored.
  func states(_ key: InvoiceKey) throws -> DocumentStates? {
    try statement.bind(key.row, at: 1)
    var found: DocumentStates?
    try statement.forEachRow { columns in
      var values = RowValues(columns)
      var states = DocumentStates(
        key: key, id: try StoredValue.required(values.text()), type: try values.word(),
        status: try values.word(), isDeleted: values.flag() == true,
        fingerprint: try StoredValue.required(values.integer()),
        listedFingerprint: values.integer(), files: found?.files ?? [])
      if !values.isNull {
        states.files.append(
          DocumentStates.File(
            kind: try values.word(), state: try values.word(), fingerprint: values.integer()))
      }
      found = states
    }
    return found
  }
}

/// Writes the files of invoices.
struct DocumentWriter {
  let db: Database
  let now: Timestamp

  /// Stores a file's state.
  ///
  /// Another object takes the place of the one before, whose row stays. A state without an object
  /// keeps the object of the one before.
  func write(_ document: StoredDocument) throws {
    guard let account = try account(document.account) else { return }
    let place: [any DatabaseValueConvertible] = [
      account, document.invoiceID, document.kind.rawValue, document.id,
    ]
    let isPlace = "account = ? AND invoice_id = ? AND kind = ? AND id = ? AND replaced_at IS NULL"
    if let sha256 = document.sha256 {
      try db.cachedStatement(
        sql: "UPDATE document SET replaced_at = ? WHERE \(isPlace) AND sha256 <> ?"
      ).execute(
        arguments: [now.microsecondsSinceEpoch] + StatementArguments(place) + [sha256])
    }
    try db.cachedStatement(
      sql: """
        INSERT INTO document (account, invoice_id, kind, id, name, media_type, size, sha256,
          provider_hash, state, error_code, fetched_at, file_name, fingerprint)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (account, invoice_id, kind, id) WHERE replaced_at IS NULL DO UPDATE SET
          name = coalesce(excluded.name, name), media_type = coalesce(excluded.media_type, media_type),
          size = coalesce(excluded.size, size), sha256 = coalesce(excluded.sha256, sha256),
          provider_hash = coalesce(excluded.provider_hash, provider_hash), state = excluded.state,
          error_code = excluded.error_code, fetched_at = coalesce(excluded.fetched_at, fetched_at),
          file_name = coalesce(excluded.file_name, file_name), fingerprint = excluded.fingerprint
        """
    ).execute(
      arguments: StatementArguments(place)
        + [
          document.name, document.mediaType, document.size, document.sha256,
          document.providerHash, document.state.rawValue, document.errorCode,
          document.fetchedAt?.microsecondsSinceEpoch, document.fileName, document.fingerprint,
        ])
  }

  /// Stores the list of an invoice's attachments; those that it lacks are gone.
  func write(
    attachments: [StoredDocument], of invoice: String, account name: String, version: Int64
  ) throws {
    guard let account = try account(name) else { return }
    try db.cachedStatement(
      sql: """
        UPDATE document SET state = 'gone' WHERE account = ? AND invoice_id = ?
          AND kind = 'attachment' AND replaced_at IS NULL
        """
    ).execute(arguments: [account, invoice])
    for attachment in attachments { try write(attachment) }
    try db.cachedStatement(
      sql: """
        INSERT INTO attachment_listing (account, invoice_id, fingerprint) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint
        """
    ).execute(arguments: [account, invoice, version])
  }

  private func account(_ name: String) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT row FROM account WHERE name = ?"), arguments: [name])
  }
}
