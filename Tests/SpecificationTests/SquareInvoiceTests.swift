import Foundation
import Models
import Providers
import SyncSupport
import Testing

/// Square's invoices and their orders, made from its specification.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Vendors.isThere, "\(Vendors.absence)"))
struct SquareInvoiceTests {
  private static let read: Set<String> = [
    "id", "version", "order_id", "invoice_number", "status", "primary_recipient",
    "payment_requests", "scheduled_at", "created_at", "updated_at", "timezone", "attachments",
    "next_payment_amount_money", "due_date", "computed_amount_money",
    "total_completed_amount_money", "rounding_adjustment_included_money", "customer_id",
    "company_name", "given_name", "family_name", "email_address", "address", "tax_ids", "eu_vat",
    "filename", "mime_type", "reference_id", "line_items", "taxes", "tenders", "refunds", "reason",
    "total_tax_money",
    "service_charges", "total_service_charge_money", "uid", "name", "variation_name", "note",
    "quantity", "base_price_money", "total_discount_money", "total_money", "applied_taxes",
    "tax_uid", "type", "percentage", "applied_money", "payment_id", "amount_money", "tip_money",
    "address_line_1", "address_line_2", "address_line_3", "locality", "postal_code",
    "administrative_district_level_1", "country", "treatment_type", "calculation_phase",
    "total_tip_money", "custom_fields", "label", "value", "sale_or_service_date", "modifiers",
    "catalog_object_id",
  ]

  private static func generator(_ specification: OpenAPI, _ currency: String) -> SchemaGenerator {
    SchemaGenerator(specification: specification, interesting: read) {
      name, parent, schema, random in
      switch name {
      // Amounts have the currency of the invoice; by the schema, some may lack it.
      case _ where name.hasSuffix("_money"):
        .object(
          ["amount": .number(SchemaGenerator.integer(&random))].merging(
            name != "computed_amount_money" && random.chance(5)
              ? [:] : ["currency": .text(currency)]
          ) { $1 })
      case "due_date", "sale_or_service_date": .text(SchemaGenerator.day(&random))
      case "scheduled_at", "created_at", "updated_at":
        .text(
          SchemaGenerator.day(&random)
            + random.one(of: ["T00:00:00Z", "T23:59:59.999Z", "T06:30:00+02:00"]))
      case "timezone": .text(random.one(of: ["America/Los_Angeles", "Asia/Tokyo", "Etc/UTC"]))
      case "quantity", "percentage":
        .text(random.one(of: ["1", "0.5", "12.345", "0", "8.875", "20.0"]))
      case "uid", "tax_uid": .text(random.one(of: ["tax-1", "tax-2", "other"]))
      default: nil
      }
    }
  }

  // Edge case 51
  @Test("invoices that Square's schema allows are stored as they were sent", arguments: Seeds.all)
  func stored(seed: UInt64) async throws {
    let specification = try Self.specification.get()
    var random = SeededRandom(seed: seed)
    var rows: [Node] = []
    for number in 0..<60 {
      let generator = Self.generator(
        specification, random.one(of: ["USD", "CAD", "JPY", "KWD", "EUR"]))
      var sent = generator.object("Invoice", &random)
      var order = generator.object("Order", &random)
      sent["id"] = .text("inv:\(seed)-\(number)")
      let orderID = "order-\(seed)-\(number)"
      sent["order_id"] = random.chance(90) ? .text(orderID) : nil
      order["id"] = .text(orderID)
      // Only a draft may lack amounts, which its order has then.
      let requests = sent.list("payment_requests")
      if requests.isEmpty || requests.contains(where: { $0["computed_amount_money"] == nil }) {
        sent["status"] = .text("DRAFT")
        sent["payment_requests"] = .list([.object(["due_date": .text("2026-03-31")])])
      }
      if sent["status"] == nil { sent["status"] = .text("UNPAID") }
      if SquareReading.invoice(sent, sent["order_id"] == nil ? nil : order) == nil {
        sent["payment_requests"] = .list([
          .object([
            "computed_amount_money": .object([
              "amount": .number("\(random.below(100_000))"), "currency": .text("USD"),
            ])
          ])
        ])
        order = .object(["id": .text(orderID)])
      }
      rows.append(
        .object(["invoice": sent, "order": sent["order_id"] == nil ? .null : order]))
    }
    let url = try #require(URL(string: "https://square.test"))
    let books = WrittenBooks(
      provider: "square", seed: seed, feed: SquareFeed(baseURL: url),
      server: { rows, json in
        let invoices = json(.list(rows.compactMap { $0["invoice"] }))
        let orders = json(.list(rows.compactMap { $0["order"] }.filter { $0 != .null }))
        return WrittenServer { path, _ in
          switch path {
          case "/v2/locations":
            #"{"locations":[{"id":"L1","merchant_id":"M1","timezone":"Asia/Tokyo"}]}"#
          case "/v2/invoices": #"{"invoices":\#(invoices)}"#
          case "/v2/orders/batch-retrieve": #"{"orders":\#(orders)}"#
          default: nil
          }
        }
      }, reading: { SquareReading.invoice($0["invoice"] ?? .null, $0["order"]) })
    try await books.check(rows)
  }

  private static let specification = Result { OpenAPI(try Vendors.json("square-api.json")) }
}

/// The meaning of an invoice of Square and its order, read without the package's reader.
enum SquareReading {
  /// The time zone of the location.
  static let location = "Asia/Tokyo"

  static func invoice(_ sent: Node, _ order: Node?) -> Invoice? {
    let requests = sent.list("payment_requests")
    let order = order == .null ? nil : order
    func all(_ key: String) -> [Node] { requests.compactMap { $0[key] } }
    let isComputed = !requests.isEmpty && all("computed_amount_money").count == requests.count
    guard let id = sent.filled("id"), let status = sent.filled("status"),
      let code = isComputed
        ? all("computed_amount_money").first?.filled("currency")
        : order?["total_money"]?.filled("currency"),
      let currency = Currency(code: code)
    else { return nil }
    let amounts = SquareAmounts(digits: currency.minorUnitDigits)
    func sum(_ key: String) -> ExactDecimal? {
      let found = all(key).compactMap(amounts.units)
      return found.isEmpty ? nil : ExactDecimal.sum(found)
    }
    let orderTotal = amounts.amount(order?["total_money"])?
      .subtracting(amounts.amount(order?["total_tip_money"]) ?? .zero)
    guard let total = isComputed ? sum("computed_amount_money") : orderTotal else { return nil }
    let paid = sum("total_completed_amount_money") ?? .zero
    let rounding = sum("rounding_adjustment_included_money")
    let next = amounts.amount(sent["next_payment_amount_money"]) ?? .zero
    var due = total.subtracting(paid)
    if isComputed { due = due?.adding(rounding ?? .zero) }
    if ["CANCELED", "FAILED", "REFUNDED"].contains(status) { due = .zero }
    if status == "PARTIALLY_REFUNDED" { due = next }
    let zone = TimeZone(identifier: sent.filled("timezone") ?? location)
    var invoice = Invoice(
      id: id, number: sent.filled("invoice_number"), type: .invoice,
      status: status == "PARTIALLY_REFUNDED" && !next.isZero
        ? .partiallyPaid : statuses[status] ?? .unknown,
      rawStatus: status, contact: party(sent["primary_recipient"] ?? .null), currency: currency,
      issueDate: day(sent.filled("scheduled_at") ?? sent.filled("created_at"), zone),
      dueDate: requests.compactMap { $0.filled("due_date").flatMap(CalendarDate.init) }.max(),
      updatedAt: sent.filled("updated_at").flatMap(Timestamp.init), total: total,
      amountPaid: paid, amountDue: due)
    invoice.version = sent["version"]?.digits.flatMap { Int64($0) }
    invoice.roundingAmount = rounding
    invoice.customFields = sent.list("custom_fields").map {
      CustomField(name: $0.filled("label"), value: $0.filled("value"))
    }
    let service = sent.filled("sale_or_service_date").flatMap(CalendarDate.init)
    (invoice.periodStart, invoice.periodEnd) = (service, service)
    invoice.attachments = sent.list("attachments").map {
      AttachmentReference(
        id: $0.filled("id"), fileName: $0.filled("filename"), mediaType: $0.filled("mime_type"),
        size: $0["filesize"]?.digits.flatMap { Int64($0) })
    }
    if let order { amounts.complete(&invoice, with: order) }
    return invoice
  }

  private static let statuses: [String: InvoiceStatus] = [
    "DRAFT": .draft, "SCHEDULED": .scheduled, "UNPAID": .open, "PAYMENT_PENDING": .open,
    "PARTIALLY_PAID": .partiallyPaid, "PAID": .paid, "PARTIALLY_REFUNDED": .paid,
    "REFUNDED": .refunded, "CANCELED": .void, "FAILED": .void,
  ]

  private static func party(_ node: Node) -> Party {
    let person = ["given_name", "family_name"].compactMap { node.filled($0) }
      .joined(separator: " ")
    let place = node["address"] ?? .null
    let address = PostalAddress(
      lines: ["address_line_1", "address_line_2", "address_line_3"].compactMap { place.filled($0) }
        .flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) },
      city: place.filled("locality"), postalCode: place.filled("postal_code"),
      region: place.filled("administrative_district_level_1"), country: place.filled("country"))
    return Party(
      id: node.filled("customer_id"),
      name: node.filled("company_name") ?? (person.isEmpty ? nil : person),
      email: node.filled("email_address"), taxNumber: node["tax_ids"]?.filled("eu_vat"),
      address: address == PostalAddress() ? nil : address)
  }

  /// The day of an instant in a time zone, or in UTC.
  static func day(_ instant: String?, _ zone: TimeZone?) -> CalendarDate? {
    guard let instant, let time = Timestamp(instant) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone ?? TimeZone(secondsFromGMT: 0) ?? .current
    let seconds = (Double(time.microsecondsSinceEpoch) / 1e6).rounded(.down)
    let parts = calendar.dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSince1970: seconds))
    return CalendarDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
  }
}

/// The amounts of an order, in the currency of its invoice.
private struct SquareAmounts {
  let digits: Int

  /// An amount of an order; one without a currency is none.
  func amount(_ money: Node?) -> ExactDecimal? {
    money?.filled("currency") == nil ? nil : units(money)
  }

  func units(_ money: Node?) -> ExactDecimal? {
    money?["amount"]?.digits.flatMap(ExactDecimal.init).flatMap {
      ExactDecimal(coefficient: $0.coefficient, scale: digits)
    }
  }

  func complete(_ invoice: inout Invoice, with order: Node) {
    let taxes = order.list("taxes")
    let isInclusive = taxes.contains { $0.filled("type") == "INCLUSIVE" }
    invoice.linesIncludeTax = isInclusive
    invoice.lines = order.list("line_items").map { line($0, taxes, isInclusive) }
    invoice.taxBreakdown = taxes.map(subtotal)
    invoice.totalTax = amount(order["total_tax_money"])
    invoice.subtotal = invoice.totalTax.flatMap { invoice.total.subtracting($0) }
    // The totals of the lines include charges that are apportioned to them.
    let charges = order.list("service_charges").filter { amount($0["applied_money"]) != nil }
    func isApportioned(_ charge: Node) -> Bool {
      charge.filled("treatment_type") == "APPORTIONED_TREATMENT"
        || charge.filled("calculation_phase")?.hasPrefix("APPORTIONED") == true
    }
    let apportioned = charges.filter(isApportioned).compactMap { amount($0["applied_money"]) }
    invoice.chargeTotal = ExactDecimal.sum(apportioned).flatMap {
      amount(order["total_service_charge_money"])?.subtracting($0)
    }
    invoice.allowancesAndCharges = charges.filter { !isApportioned($0) }.map { charge in
      AllowanceCharge(
        id: charge.filled("uid"), isCharge: true, amount: amount(charge["applied_money"]) ?? .zero,
        reason: charge.filled("name"))
    }
    let refunds = order.list("refunds").filter {
      ["APPROVED", nil].contains($0.filled("status"))
    }
    invoice.payments =
      order.list("tenders").compactMap(payment)
      + refunds.compactMap(payment).map { refund in
        var refund = refund
        refund.amount = refund.amount.negated
        return refund
      }
    invoice.reference = order.filled("reference_id")
  }

  /// A payment or refund; one of an unknown amount is none of nothing.
  private func payment(_ tender: Node) -> InvoicePayment? {
    let tip = tender["tip_money"] ?? .null
    guard let paid = amount(tender["amount_money"]), tip == .null || amount(tip) != nil
    else { return nil }
    var payment = InvoicePayment(
      id: tender.filled("payment_id") ?? tender.filled("id"),
      date: SquareReading.day(
        tender.filled("created_at"), TimeZone(identifier: SquareReading.location)),
      amount: paid.subtracting(amount(tip) ?? .zero) ?? .zero, reference: tender.filled("reason"))
    payment.method = tender.filled("type")
    return payment
  }

  private func line(_ row: Node, _ taxes: [Node], _ isInclusive: Bool) -> InvoiceLine {
    let names = ["name", "variation_name"].compactMap { row.filled($0) }
    let tax = amount(row["total_tax_money"])
    let total = amount(row["total_money"])
    let modifiers = row.list("modifiers")
    let extras = modifiers.compactMap { $0.filled("name") }.joined(separator: ", ")
    let text = names.isEmpty ? row.filled("note") : names.joined(separator: ", ")
    let described = extras.isEmpty ? text : text.map { $0 + " (" + extras + ")" } ?? extras
    let prices = modifiers.map { modifier in
      (amount(modifier["base_price_money"]) ?? .zero)
        .multiplied(
          by: modifier.filled("quantity").flatMap(ExactDecimal.init) ?? ExactDecimal(1)) ?? .zero
    }
    var line = InvoiceLine(
      id: row.filled("uid"), description: described,
      quantity: row.filled("quantity").flatMap(ExactDecimal.init),
      unitAmount: amount(row["base_price_money"]).flatMap { .sum([$0] + prices) },
      taxAmount: tax,
      lineAmount: isInclusive ? total : total?.subtracting(tax ?? .zero))
    line.discountAmount = amount(row["total_discount_money"])
    let charge = amount(row["total_service_charge_money"])
    line.chargeAmount = charge?.isZero == true ? nil : charge
    line.itemCode = row.filled("catalog_object_id")
    let applied = row.list("applied_taxes").compactMap { $0.filled("tax_uid") }
      .compactMap { uid in taxes.first { $0.filled("uid") == uid } }
    if applied.count == 1, let only = applied.first {
      line.taxRate = subtotal(only).rate
      line.taxType = subtotal(only).name
    }
    return line
  }

  private func subtotal(_ tax: Node) -> TaxSubtotal {
    TaxSubtotal(
      name: tax.filled("name"), rate: tax.filled("percentage").flatMap(ExactDecimal.init),
      taxAmount: amount(tax["applied_money"]) ?? .zero)
  }
}
