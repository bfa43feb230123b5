import Models

extension LedgerInvoice {
  var squareOrderID: String { "order-" + id }

  /// Writes the invoice in the form of Square's list: without lines, which belong to its order.
  func writeSquare(location: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("version", Int(updatedAt.microsecondsSinceEpoch / 1_000))
      writer.member("location_id", location)
      writer.member("order_id", squareOrderID)
      writer.member(ifPresent: number, "invoice_number")
      writer.member("status", squareStatus)
      writer.key("primary_recipient")
      writer.object { writer in
        writer.member("customer_id", contact.id)
        writer.member(ifPresent: contact.name, "company_name")
        writer.member(ifPresent: contact.emailAddress, "email_address")
      }
      writer.key("payment_requests")
      writer.array { writer in
        writer.object { writer in
          writer.member("uid", "request-" + id)
          writer.member("request_type", "BALANCE")
          writer.member(ifPresent: dueDate?.description, "due_date")
          writer.member("computed_amount_money", money: total, currencyCode)
          // Square has no credits.
          writer.member(
            "total_completed_amount_money", money: amountPaid.adding(amountCredited), currencyCode)
        }
      }
      writer.member("timezone", "Etc/UTC")
      writer.member(ifPresent: date.map { "\($0)T00:00:00Z" }, "scheduled_at")
      writer.member("created_at", updatedAt.description)
      writer.member("updated_at", updatedAt.description)
    }
  }

  /// Writes the order of the invoice.
  func writeSquareOrder(location: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", squareOrderID)
      writer.member("location_id", location)
      writer.member(ifPresent: reference, "reference_id")
      writer.key("line_items")
      writer.array { writer in
        for line in lines { writeSquare(line, to: &writer) }
      }
      writeTaxes(to: &writer)
      writer.member("total_money", money: total, currencyCode)
      writer.member("total_tax_money", money: totalTax, currencyCode)
      writer.member("total_service_charge_money", money: .zero, currencyCode)
    }
  }

  private var isInclusive: Bool { taxBasis == .inclusive }

  private var squareStatus: String {
    switch status {
    case .draft: "DRAFT"
    case .scheduled: "SCHEDULED"
    case .paid: "PAID"
    case .void: "CANCELED"
    case .open, .deleted:
      amountPaid.isZero && amountCredited.isZero ? "UNPAID" : "PARTIALLY_PAID"
    }
  }

  private func writeSquare(_ line: LedgerLine, to writer: inout JSONWriter) {
    let amount = line.lineAmount ?? .zero
    let tax = line.taxAmount ?? .zero
    writer.object { writer in
      writer.member("uid", line.id)
      writer.member(ifPresent: line.description, "name")
      writer.member("quantity", (line.quantity ?? ExactDecimal(1)).description)
      // Prices here have no more decimals than the currency.
      writer.member("base_price_money", money: line.unitAmount, currencyCode)
      writer.member("total_tax_money", money: tax, currencyCode)
      writer.member("total_discount_money", money: .zero, currencyCode)
      writer.member("total_money", money: isInclusive ? amount : amount.adding(tax), currencyCode)
      writer.key("applied_taxes")
      writer.array { writer in
        writer.object { $0.member("tax_uid", line.taxType ?? "NONE") }
      }
    }
  }

  private func writeTaxes(to writer: inout JSONWriter) {
    let taxes = Dictionary(grouping: lines) { $0.taxType ?? "NONE" }
    writer.key("taxes")
    writer.array { writer in
      for (type, lines) in taxes.sorted(by: { $0.key < $1.key }) {
        let percentage = type.filter(\.isNumber)
        writer.object { writer in
          writer.member("uid", type)
          writer.member("name", type)
          writer.member("type", isInclusive ? "INCLUSIVE" : "ADDITIVE")
          writer.member("percentage", percentage.isEmpty ? "0" : percentage)
          writer.member(
            "applied_money", money: .sum(lines.compactMap(\.taxAmount)), currencyCode)
        }
      }
    }
  }
}
