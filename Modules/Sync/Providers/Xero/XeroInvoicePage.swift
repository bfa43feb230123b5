import Models

/// A page of `GET /api.xro/2.0/Invoices`.
struct XeroInvoicePage: Sendable {
  var invoices: [Invoice] = []
  var failures: [RowFailure] = []
  /// How many pages there are, where the server says so.
  var pageCount: Int?

  var rowCount: Int { invoices.count + failures.count }

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the page as a whole is broken.
  init(_ body: [UInt8]) throws {
    var reader = JSONReader(body)
    var hasInvoices = false
    do {
      try reader.readObject { reader, key in
        switch key {
        case "Invoices":
          hasInvoices = true
          try reader.readArray { try readRow(&$0) }
        case "pagination":
          try readPagination(&reader)
        default:
          try reader.skipValue()
        }
      }
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        place: error.path.isEmpty ? "byte \(error.offset)" : error.pathDescription,
        reason: error.explanation)
    }
    guard hasInvoices else {
      throw SyncError.unreadable(place: "Invoices", reason: "it is missing")
    }
  }

  private mutating func readPagination(_ reader: inout JSONReader) throws {
    if try reader.readNull() { return }
    try reader.readObject { reader, key in
      if key == "pageCount" { pageCount = try reader.readInt() } else { try reader.skipValue() }
    }
  }

  private mutating func readRow(_ reader: inout JSONReader) throws {
    let start = reader.position
    do {
      var row = reader
      invoices.append(try XeroInvoice.read(&row))
      reader.rewind(to: row.position)
    } catch let error as JSONError where !error.isMalformed {
      // The row is sound JSON, so the reading goes on behind it.
      reader.rewind(to: start)
      failures.append(
        RowFailure(
          id: XeroInvoice.identifier(in: reader), path: error.pathDescription,
          reason: error.explanation))
      try reader.skipValue()
    }
  }
}
