/// The bodies of Square's responses.
enum SquareEnvelope {
  static let merchantID = "MSANDBOX"

  static func locations(_ tenants: [Tenant], of merchantID: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("locations")
      writer.array { writer in
        for tenant in tenants {
          writer.object { writer in
            writer.member("id", tenant.squareLocationID)
            writer.member("name", tenant.name)
            writer.member("merchant_id", merchantID)
            writer.member("timezone", "Etc/UTC")
            writer.member("currency", "USD")
            writer.member("status", "ACTIVE")
          }
        }
      }
    }
    return writer.bytes
  }

  /// Returns a page; empty members are omitted.
  static func page(
    _ invoices: some Collection<LedgerInvoice>, location: String, cursor: String?
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      if !invoices.isEmpty {
        writer.key("invoices")
        writer.array { writer in
          for invoice in invoices { invoice.writeSquare(location: location, to: &writer) }
        }
      }
      writer.member(ifPresent: cursor, "cursor")
    }
    return writer.bytes
  }

  static func orders(_ orders: [(invoice: LedgerInvoice, location: String)]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      guard !orders.isEmpty else { return }
      writer.key("orders")
      writer.array { writer in
        for order in orders {
          order.invoice.writeSquareOrder(location: order.location, to: &writer)
        }
      }
    }
    return writer.bytes
  }

  static func error(_ code: String, category: String, field: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("errors")
      writer.array { writer in
        writer.object { writer in
          writer.member("category", category)
          writer.member("code", code)
          writer.member(ifPresent: field, "field")
        }
      }
    }
    return writer.bytes
  }
}

extension Tenant {
  /// The tenant's identifier as a location.
  var squareLocationID: String { "L" + id.uppercased().filter { $0 != "-" }.prefix(12) }
}
