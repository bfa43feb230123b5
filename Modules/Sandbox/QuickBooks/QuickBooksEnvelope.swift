import Models

enum QuickBooksEnvelope {
  static func answer(
    to query: QuickBooksQuery, _ rows: [LedgerInvoice], _ links: DocumentLinks, at now: Timestamp
  ) -> [UInt8] {
    timed(now) { write(query, rows, links, to: &$0) }
  }

  static func answer(
    to batch: QuickBooksBatch, _ rows: [LedgerInvoice], _ links: DocumentLinks, at now: Timestamp
  ) throws -> [UInt8] {
    let queries = try batch.items.map { ($0.id, try QuickBooksQuery($0.query)) }
    return timed(now) { writer in
      writer.array("BatchItemResponse") { writer in
        for (id, query) in queries {
          writer.object { writer in
            write(query, rows, links, to: &writer)
            writer.member("bId", id)
          }
        }
      }
    }
  }

  private static func write(
    _ query: QuickBooksQuery, _ rows: [LedgerInvoice], _ links: DocumentLinks,
    to writer: inout JSONWriter
  ) {
    writer.object("QueryResponse") { writer in
      if query.kind == "Preferences" {
        writer.array("Preferences") { $0.object(preferences) }
        return
      }
      let found = QuickBooksRow.all(of: query.kind, in: rows, links).filter { row in
        !row.isDeleted && (query.includesInactive || row.isActive)
          && query.since.map { row.updatedAt.truncatedToSecond >= $0 } ?? true
      }
      if query.isCount { return writer.member("totalCount", found.count) }
      let page = found.dropFirst(query.position - 1).prefix(query.limit)
      // Without rows, there is neither a key for them nor a count.
      guard !page.isEmpty else { return }
      writer.array(query.kind) { writer in
        for row in page { row.write(to: &writer) }
      }
      writer.member("startPosition", query.position)
      writer.member("maxResults", page.count)
    }
  }

  static func changes(
    of kinds: [String], since: Timestamp, _ rows: [LedgerInvoice], _ links: DocumentLinks,
    at now: Timestamp
  ) -> [UInt8] {
    timed(now) { writer in
      writer.array("CDCResponse") { writer in
        writer.object { writer in
          writer.array("QueryResponse") { writer in
            var room = 1_000
            for kind in kinds { write(kind, since, rows, links, &room, to: &writer) }
          }
        }
      }
    }
  }

  private static func write(
    _ kind: String, _ since: Timestamp, _ rows: [LedgerInvoice], _ links: DocumentLinks,
    _ room: inout Int, to writer: inout JSONWriter
  ) {
    let found = QuickBooksRow.all(of: kind, in: rows, links)
      .filter { $0.updatedAt.truncatedToSecond >= since }.prefix(room)
    room -= found.count
    writer.object { writer in
      guard !found.isEmpty else { return }
      writer.array(kind) { writer in
        for row in found {
          guard row.isDeleted else {
            row.write(to: &writer)
            continue
          }
          writer.object { writer in
            writer.member("domain", "QBO")
            writer.member("status", "Deleted")
            writer.member("Id", row.id)
            writer.quickBooksUpdate(row.updatedAt)
          }
        }
      }
      writer.member("startPosition", 1)
      writer.member("maxResults", found.count)
      writer.member("totalCount", found.count)
    }
  }

  static func fault(code: Int, _ message: String, type: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.object("Fault") { writer in
        writer.array("Error") { writer in
          writer.object { writer in
            writer.member("Message", message)
            writer.member("Detail", message)
            writer.member("code", String(code))
          }
        }
        writer.member("type", type)
      }
    }
  }

  /// The fault of the token check, whose members are in lower case.
  static var unauthenticated: [UInt8] {
    JSONWriter.object { writer in
      writer.null("warnings")
      writer.object("fault") { writer in
        writer.array("error") { writer in
          writer.object { writer in
            writer.member(
              "message", "message=AuthenticationFailed; errorCode=003200; statusCode=401")
            writer.member("detail", "Token expired")
            writer.member("code", "3200")
          }
        }
        writer.member("type", "AUTHENTICATION")
      }
    }
  }

  private static func preferences(_ writer: inout JSONWriter) {
    writer.object("CurrencyPrefs") { writer in
      writer.member("MultiCurrencyEnabled", true)
      writer.object("HomeCurrency") { $0.member("value", "USD") }
    }
    writer.member("Id", "1")
  }

  private static func timed(
    _ now: Timestamp, _ content: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.object { writer in
      content(&writer)
      writer.member("time", QuickBooksTime.text(now))
    }
  }
}

/// A row of one of QuickBooks' lists: a document, a party or a file.
private enum QuickBooksRow {
  case document(LedgerInvoice)
  case party(ContactEntry)
  case payment(LedgerSettlement)
  case attachable(QuickBooksAttachable)

  static func all(
    of kind: String, in rows: [LedgerInvoice], _ links: DocumentLinks
  ) -> [QuickBooksRow] {
    switch kind {
    case "Attachable": QuickBooksAttachable.all(in: rows, links).map(QuickBooksRow.attachable)
    case "Customer": rows.filter { !$0.isPurchase }.contacts.map(QuickBooksRow.party)
    case "Vendor": rows.filter(\.isPurchase).contacts.map(QuickBooksRow.party)
    case "Payment": LedgerSettlement.of(rows.filter { !$0.isPurchase }).map(QuickBooksRow.payment)
    case "BillPayment": LedgerSettlement.of(rows.filter(\.isPurchase)).map(QuickBooksRow.payment)
    default:
      rows.flatMap { row in
        [row] + (row.isVaried ? LedgerSettlement.of(row).compactMap(\.note) : [])
      }.filter { $0.quickBooksKind == kind }.map(QuickBooksRow.document)
    }
  }

  var id: String {
    switch self {
    case .document(let invoice): invoice.id
    case .party(let entry): entry.contact.id
    case .payment(let payment): payment.id
    case .attachable(let file): file.attachment.id
    }
  }

  var updatedAt: Timestamp {
    switch self {
    case .document(let invoice): invoice.updatedAt
    case .party(let entry): entry.updatedAt
    case .payment(let payment): payment.updatedAt
    case .attachable(let file): file.attachment.invoice.updatedAt
    }
  }

  var isDeleted: Bool {
    switch self {
    case .document(let invoice): invoice.status == .deleted
    case .payment(let payment): payment.invoice.status == .deleted
    case .party, .attachable: false
    }
  }

  var isActive: Bool { if case .party(let entry) = self { entry.isLive } else { true } }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .document(let invoice): invoice.writeQuickBooks(to: &writer)
    case .party(let entry): entry.writeQuickBooks(to: &writer)
    case .payment(let payment): payment.writeQuickBooks(to: &writer)
    case .attachable(let file): file.write(to: &writer)
    }
  }
}
