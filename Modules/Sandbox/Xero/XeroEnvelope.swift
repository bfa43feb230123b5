import Models

/// The bodies of Xero's responses.
enum XeroEnvelope {
  /// Returns a page of invoices with the `pagination` object.
  static func page(_ page: LedgerPage, id: String, at now: Timestamp) -> [UInt8] {
    envelope(id: id, at: now) { writer in
      pagination(of: page.query, pages: page.pageCount, items: page.itemCount, to: &writer)
      writer.key("Invoices")
      writer.array { writer in
        for invoice in page.invoices {
          invoice.write(to: &writer, unitDecimals: page.query.unitDecimals)
        }
      }
    }
  }

  /// Returns a page of contacts.
  static func page(_ page: XeroContactList.Page, id: String, at now: Timestamp) -> [UInt8] {
    envelope(id: id, at: now) { writer in
      pagination(of: page.query, pages: page.pageCount, items: page.itemCount, to: &writer)
      writer.key("Contacts")
      writer.array { writer in
        for entry in page.entries { entry.write(to: &writer) }
      }
    }
  }

  /// Returns one invoice, in the same envelope as a page.
  static func invoice(_ invoice: LedgerInvoice, id: String, at now: Timestamp) -> [UInt8] {
    envelope(id: id, at: now) { writer in
      writer.key("Invoices")
      writer.array { invoice.write(to: &$0, unitDecimals: LedgerQuery().unitDecimals) }
    }
  }

  /// Returns the tenants to which a sign-in gave access.
  static func connections(_ tenants: [Tenant]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
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
    return writer.bytes
  }

  /// Returns an error about access or the resource.
  static func problem(title: String, status: Int, detail: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("Type")
      writer.literal("null")
      writer.member("Title", title)
      writer.member("Status", status)
      writer.member("Detail", detail)
    }
    return writer.bytes
  }

  /// Returns an error about the query.
  static func queryError(_ message: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("ErrorNumber", 16)
      writer.member("Type", "QueryParseException")
      writer.member("Message", message)
    }
    return writer.bytes
  }

  private static func pagination(
    of query: LedgerQuery, pages: Int, items: Int, to writer: inout JSONWriter
  ) {
    writer.key("pagination")
    writer.object { writer in
      writer.member("page", query.page)
      writer.member("pageSize", query.pageSize)
      writer.member("pageCount", pages)
      writer.member("itemCount", items)
    }
  }

  private static func envelope(
    id: String, at now: Timestamp, content: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("Id", id)
      writer.member("Status", "OK")
      writer.member("ProviderName", "appcore sandbox")
      writer.member("DateTimeUTC", "/Date(\(now.microsecondsSinceEpoch / 1_000))/")
      content(&writer)
    }
    return writer.bytes
  }
}
