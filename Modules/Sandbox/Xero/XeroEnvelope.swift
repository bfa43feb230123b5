import Models

enum XeroEnvelope {
  static func page(_ page: LedgerPage, id: String, at now: Timestamp) -> [UInt8] {
    envelope(id: id, at: now) { writer in
      pagination(of: page.query, pages: page.pageCount, items: page.itemCount, to: &writer)
      writer.array("Invoices") { writer in
        for invoice in page.invoices {
          invoice.write(to: &writer, unitDecimals: page.query.unitDecimals)
        }
      }
    }
  }

  /// - Parameters:
  ///   - list: the key of the rows.
  ///   - write: writes a row.
  static func page<Row>(
    _ page: XeroListPage<Row>, _ list: String, id: String, at now: Timestamp,
    write: (Row, inout JSONWriter) -> Void
  ) -> [UInt8] {
    envelope(id: id, at: now) { writer in
      pagination(of: page.query, pages: page.pageCount, items: page.itemCount, to: &writer)
      writer.array(list) { writer in
        for row in page.rows { write(row, &writer) }
      }
    }
  }

  /// Returns rows without pages, such as the only one of a single invoice.
  static func rows<Row>(
    _ list: String, _ rows: [Row], id: String, at now: Timestamp,
    write: (Row, inout JSONWriter) -> Void
  ) -> [UInt8] {
    envelope(id: id, at: now) { writer in
      writer.array(list) { writer in
        for row in rows { write(row, &writer) }
      }
    }
  }

  static func connections(_ tenants: [Tenant]) -> [UInt8] {
    JSONWriter.array { writer in
      for tenant in tenants {
        writer.object { writer in
          writer.member("id", tenant.connectionID)
          writer.member("authEventId", tenant.authEventID)
          writer.member("tenantId", tenant.id)
          writer.member("tenantType", "ORGANISATION")
          writer.member("tenantName", tenant.name)
          writer.member("createdDateUtc", "2020-01-01T00:00:00.0000000")
          writer.member("updatedDateUtc", "2020-01-01T00:00:00.0000000")
        }
      }
    }
  }

  static func problem(title: String, status: Int, detail: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.null("Type")
      writer.member("Title", title)
      writer.member("Status", status)
      writer.member("Detail", detail)
    }
  }

  static func queryError(_ message: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("ErrorNumber", 16)
      writer.member("Type", "QueryParseException")
      writer.member("Message", message)
    }
  }

  private static func pagination(
    of query: LedgerQuery, pages: Int, items: Int, to writer: inout JSONWriter
  ) {
    writer.object("pagination") { writer in
      writer.member("page", query.page)
      writer.member("pageSize", query.pageSize)
      writer.member("pageCount", pages)
      writer.member("itemCount", items)
    }
  }

  private static func envelope(
    id: String, at now: Timestamp, content: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("Id", id)
      writer.member("Status", "OK")
      writer.member("ProviderName", "appcore sandbox")
      writer.member("DateTimeUTC", "/Date(\(now.microsecondsSinceEpoch / 1_000))/")
      content(&writer)
    }
  }
}

/// A page of a list that is derived from the invoices, in the order of change.
struct XeroListPage<Row> {
  let query: LedgerQuery
  let rows: [Row]
  let itemCount: Int

  var pageCount: Int { (itemCount + query.pageSize - 1) / query.pageSize }

  init(of all: [Row], _ query: LedgerQuery, changedAt: (Row) -> Timestamp) {
    let matching = all.filter { row in query.modifiedSince.map { changedAt(row) >= $0 } ?? true }
    let (start, overflow) = (query.page - 1).multipliedReportingOverflow(by: query.pageSize)
    self.query = query
    rows = overflow ? [] : Array(matching.dropFirst(start).prefix(query.pageSize))
    itemCount = matching.count
  }
}

/// The contacts of a tenant.
struct XeroContactList {
  let entries: [ContactEntry]

  init(invoices: [LedgerInvoice]) {
    entries = invoices.contacts
  }
}

extension ContactEntry {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("ContactID", contact.id)
      writer.member("ContactStatus", "ACTIVE")
      writer.member(ifPresent: contact.name, "Name")
      writer.member(ifPresent: contact.emailAddress, "EmailAddress")
      writer.member(ifPresent: contact.accountNumber, "AccountNumber")
      writer.array("Addresses") { writer in
        writer.object { $0.member("AddressType", "STREET") }
        guard let city = contact.city else { return }
        writer.object { writer in
          writer.member("AddressType", "POBOX")
          writer.member("AddressLine1", "1 Market Square")
          writer.member("City", city)
          writer.member("Country", "CH")
        }
      }
      writer.member("IsCustomer", isCustomer)
      writer.member("IsSupplier", isSupplier)
      writer.member("UpdatedDateUTC", XeroDateText.json(updatedAt))
    }
  }
}
