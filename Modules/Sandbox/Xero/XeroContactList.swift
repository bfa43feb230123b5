import Models

/// The contacts of a tenant: the parties of its invoices, with the change time of the latest
/// invoice.
struct XeroContactList {
  struct Entry {
    let contact: LedgerContact
    var updatedAt: Timestamp
    var isCustomer = false
    var isSupplier = false
  }

  struct Page {
    let query: LedgerQuery
    let entries: [Entry]
    let itemCount: Int

    var pageCount: Int { (itemCount + query.pageSize - 1) / query.pageSize }
  }

  private let entries: [Entry]

  init(invoices: [LedgerInvoice]) {
    var entries: [String: Entry] = [:]
    for invoice in invoices {
      var entry =
        entries[invoice.contact.id]
        ?? Entry(contact: invoice.contact, updatedAt: invoice.updatedAt)
      entry.updatedAt = max(entry.updatedAt, invoice.updatedAt)
      if invoice.isPurchase { entry.isSupplier = true } else { entry.isCustomer = true }
      entries[invoice.contact.id] = entry
    }
    self.entries = entries.values.sorted {
      ($0.updatedAt, $0.contact.id) < ($1.updatedAt, $1.contact.id)
    }
  }

  func page(_ query: LedgerQuery) -> Page {
    let matching = entries.filter { entry in
      query.modifiedSince.map { entry.updatedAt >= $0 } ?? true
    }
    let (start, overflow) = (query.page - 1).multipliedReportingOverflow(by: query.pageSize)
    let rows = overflow ? [] : Array(matching.dropFirst(start).prefix(query.pageSize))
    return Page(query: query, entries: rows, itemCount: matching.count)
  }
}

extension XeroContactList.Entry {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("ContactID", contact.id)
      writer.member("ContactStatus", "ACTIVE")
      if let name = contact.name { writer.member("Name", name) }
      if let address = contact.emailAddress { writer.member("EmailAddress", address) }
      writer.key("IsCustomer")
      writer.literal(isCustomer ? "true" : "false")
      writer.key("IsSupplier")
      writer.literal(isSupplier ? "true" : "false")
      writer.member("UpdatedDateUTC", XeroDateText.json(updatedAt))
    }
  }
}
