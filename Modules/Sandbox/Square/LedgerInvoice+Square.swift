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
      writer.object("primary_recipient") { writer in
        writer.member("customer_id", contact.id)
        writer.member(ifPresent: contact.name, "company_name")
        writer.member(ifPresent: contact.emailAddress, "email_address")
      }
      writer.array("payment_requests") { writer in
        writer.object { writer in
          writer.member("uid", "request-" + id)
          writer.member("request_type", "BALANCE")
          writer.member(ifPresent: dueDate?.description, "due_date")
          writer.member("computed_amount_money", money: total, currencyCode)
          // Square has no credits.
          let paid = ExactDecimal.sum([amountPaid, amountCredited, squareRounding ?? .zero])
          writer.member("total_completed_amount_money", money: paid, currencyCode)
          if let squareRounding {
            writer.member("rounding_adjustment_included_money", money: squareRounding, currencyCode)
          }
        }
      }
      writer.member("timezone", "Etc/UTC")
      writer.member(ifPresent: date.map { "\($0)T00:00:00Z" }, "scheduled_at")
      writer.member("created_at", updatedAt.description)
      writer.member("updated_at", updatedAt.description)
    }
  }

  func writeSquareOrder(location: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", squareOrderID)
      writer.member("location_id", location)
      writer.member(ifPresent: reference, "reference_id")
      writer.array("line_items") { writer in
        for line in lines { writeSquare(line, to: &writer) }
      }
      writeTaxes(to: &writer)
      // Square has no credits, so whatever settles an invoice is a payment.
      let parts = LedgerSettlement.of(self).filter { !$0.isCancelled }
      writer.array("tenders") { writer in
        var rounding = squareRounding
        for part in parts where part.kind != .refund {
          defer { rounding = nil }
          writer.object { writer in
            writer.member("id", "tender-" + part.id)
            writer.member("payment_id", part.id)
            writer.member(ifPresent: part.date.map { "\($0)T12:00:00Z" }, "created_at")
            writer.member("type", "CARD")
            writer.member(
              "amount_money", money: part.amount.adding(rounding ?? .zero), currencyCode)
          }
        }
      }
      writer.array("refunds") { writer in
        for part in parts where part.kind == .refund {
          writer.object { writer in
            writer.member("id", "refund-" + part.id)
            writer.member(ifPresent: part.date.map { "\($0)T12:00:00Z" }, "created_at")
            writer.member("reason", part.number)
            writer.member("amount_money", money: part.amount, currencyCode)
            writer.member("status", "APPROVED")
          }
        }
      }
      writer.member("total_money", money: total, currencyCode)
      writer.member("total_tax_money", money: totalTax, currencyCode)
      writer.member("total_service_charge_money", money: .zero, currencyCode)
    }
  }

  private var isInclusive: Bool { taxBasis == .inclusive }

  /// The cent that was paid above the total, because there is no such coin; `nil` if none was.
  private var squareRounding: ExactDecimal? {
    guard isVaried, amountPaid > .zero, (id.utf8.first ?? 0).isMultiple(of: 2),
      ["PARTIALLY_PAID", "PAID"].contains(squareStatus)
    else { return nil }
    return ExactDecimal(coefficient: 1, scale: Currency(code: currencyCode)?.minorUnitDigits ?? 2)
  }

  private var squareStatus: String {
    switch status {
    case .draft: "DRAFT"
    case .scheduled: "SCHEDULED"
    case .paid:
      LedgerSettlement.of(self).contains { $0.kind == .refund } ? "PARTIALLY_REFUNDED" : "PAID"
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
      writer.member(ifPresent: line.itemCode, "catalog_object_id")
      writer.member("quantity", (line.quantity ?? ExactDecimal(1)).description)
      // Prices here have no more decimals than the currency.
      writer.member("base_price_money", money: line.unitAmount, currencyCode)
      writer.member("total_tax_money", money: tax, currencyCode)
      writer.member("total_discount_money", money: .zero, currencyCode)
      writer.member("total_money", money: isInclusive ? amount : amount.adding(tax), currencyCode)
      writer.array("applied_taxes") { writer in
        writer.object { $0.member("tax_uid", line.taxType ?? "NONE") }
      }
    }
  }

  private func writeTaxes(to writer: inout JSONWriter) {
    let taxes = Dictionary(grouping: lines) { $0.taxType ?? "NONE" }
    writer.array("taxes") { writer in
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

extension ContactEntry {
  var squareCreation: Timestamp {
    Timestamp(microsecondsSinceEpoch: Int64(createdAt) * 1_000_000)
  }

  func writeSquare(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", contact.id)
      writer.member("created_at", squareCreation.description)
      writer.member("updated_at", updatedAt.description)
      writer.member(ifPresent: contact.name, "company_name")
      writer.member(ifPresent: contact.emailAddress, "email_address")
      writer.member("version", Int(updatedAt.microsecondsSinceEpoch / 1_000))
    }
  }
}

extension JSONWriter {
  /// Writes an amount in Square's form: a whole number of the currency's smallest unit.
  mutating func member(_ name: String, money amount: ExactDecimal?, _ currencyCode: String) {
    let digits = Currency(code: currencyCode)?.minorUnitDigits ?? 2
    key(name)
    object { writer in
      writer.member("amount", Int((amount ?? .zero).minorUnits(digits: digits)))
      writer.member("currency", currencyCode)
    }
  }
}

extension ExactDecimal {
  /// Returns the number of minor units for a number of decimals; finer digits are rounded.
  func minorUnits(digits: Int) -> Int128 {
    let rounded = rounded(toScale: digits)
    return (rounded.scale..<max(digits, rounded.scale)).reduce(rounded.coefficient) { value, _ in
      value * 10
    }
  }
}
