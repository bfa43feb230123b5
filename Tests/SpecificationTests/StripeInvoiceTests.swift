import Foundation
import Models
import Providers
import SyncSupport
import Testing

/// Stripe's invoices: its published example, and others made from its specification.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Vendors.isThere, "\(Vendors.absence)"))
struct StripeInvoiceTests {
  private static let read: Set<String> = [
    "id", "number", "status", "customer", "customer_name", "customer_email", "customer_address",
    "account_name", "account_country", "customer_tax_ids", "value", "currency", "effective_at",
    "status_transitions", "finalized_at", "paid_at", "due_date", "period_start", "period_end",
    "total_excluding_tax", "tax", "total", "amount_paid", "amount_remaining",
    "pre_payment_credit_notes_amount", "post_payment_credit_notes_amount", "starting_balance",
    "ending_balance", "total_discount_amounts", "shipping_cost", "total_tax_amounts", "lines",
    "data", "description", "quantity", "amount", "price", "unit_amount", "unit_amount_decimal",
    "start", "end", "charge", "payment_intent", "tax_amounts", "tax_rate", "inclusive",
    "taxable_amount", "percentage", "display_name",
    "period", "customer_tax_exempt", "custom_fields", "name", "taxability_reason", "product",
    "nickname", "transform_quantity", "proration", "paid", "receipt_number",
    "payment_method_details",
    "type",
    "line1", "line2", "city", "postal_code", "state", "country", "amount_subtotal", "discount",
  ]

  private static func generator(_ specification: OpenAPI) -> SchemaGenerator {
    SchemaGenerator(specification: specification, interesting: read) {
      name, parent, schema, random in
      switch name {
      case "currency": .text(random.one(of: ["usd", "eur", "jpy", "isk", "kwd", "mga", "zzz"]))
      case "has_more": .flag(false)
      case "amount_tax", "unit_amount": .number("\(random.below(1_000_000))")
      case "percentage": .number(random.one(of: ["0", "7.7", "19", "20.0", "8.875"]))
      case "unit_amount_decimal": .text(random.one(of: ["0", "1000", "0.05", "12.345678901234"]))
      case "id": .text("\(parent)_\(SchemaGenerator.uuid(&random).prefix(12))")
      case _ where schema["format"]?.string == "unix-time":
        .number(
          "\(random.one(of: [1_577_840_400, 1_700_000_000, 4_070_908_800]) + random.below(9_999_999))"
        )
      default: nil
      }
    }
  }

  // Edge case 51
  @Test("invoices that Stripe's schema allows are stored as they were sent", arguments: Seeds.all)
  func stored(seed: UInt64) async throws {
    let generator = Self.generator(try Self.specification.get())
    var random = SeededRandom(seed: seed)
    var rows: [Node] = []
    for number in 0..<90 {
      var sent = generator.object("invoice", &random)
      sent["id"] = .text("in_\(seed)_\(number)")
      rows.append(sent)
    }
    try await check(rows, seed: seed, zone: Self.zone)
  }

  @Test("the example that Stripe publishes for the version we ask for is stored as it says")
  func fixture() async throws {
    let sent =
      try Vendors.json("stripe-fixtures-2024-06-20.json")
      .at("resources", "invoice") ?? .null
    let utc = try #require(TimeZone(secondsFromGMT: 0))
    let reading = StripeReading(zone: utc)
    let expected = try #require(reading.invoice(sent))
    #expect(expected.total.description == "10.00" && expected.status == .draft)
    #expect(expected.lines.first?.description == "My First Invoice Item (created for API docs)")
    // The other states that an invoice of the example can have.
    var rows = [sent]
    for (status, paid) in [
      ("open", "0"), ("open", "400"), ("paid", "1000"), ("void", "0"),
      ("uncollectible", "0"),
    ] {
      var other = sent
      other["id"] = .text("in_\(status)_\(paid)")
      other["status"] = .text(status)
      other["amount_paid"] = .number(paid)
      rows.append(other)
    }
    #expect(
      rows.map { reading.invoice($0)?.status }
        == [.draft, .open, .partiallyPaid, .paid, .void, .writtenOff])
    try await check(rows, seed: 0, zone: "Etc/UTC")
  }

  private static let zone = "America/Los_Angeles"

  private func check(_ rows: [Node], seed: UInt64, zone: String) async throws {
    var account =
      try Vendors.json("stripe-fixtures-2024-06-20.json").at("resources", "account") ?? .null
    account["settings"] = .object(["dashboard": .object(["timezone": .text(zone)])])
    let accountText = account.json
    let url = try #require(URL(string: "https://stripe.test"))
    let reading = StripeReading(zone: try #require(TimeZone(identifier: zone)))
    let books = WrittenBooks(
      provider: "stripe", seed: seed, feed: StripeFeed(StripeInvoices.self, baseURL: url),
      server: { rows, json in
        let list = json(.list(rows))
        return WrittenServer { path, _ in
          switch path {
          case "/v1/account": accountText
          case "/v1/balance": #"{"object":"balance","livemode":false}"#
          case "/v1/invoices": #"{"object":"list","data":\#(list),"has_more":false}"#
          case "/v1/events": #"{"object":"list","data":[],"has_more":false}"#
          default: nil
          }
        }
      }, reading: reading.invoice)
    try await books.check(rows)
  }

  private static let specification = Result {
    OpenAPI(try Vendors.json("stripe-spec3-2023-08-16.json"))
  }
}

/// The meaning of an invoice of Stripe, read without the package's reader.
struct StripeReading {
  /// The time zone of the account.
  let zone: TimeZone

  func invoice(_ sent: Node) -> Invoice? {
    guard let id = sent.filled("id"), let code = sent.filled("currency"),
      let currency = Currency(code: code), let total = amount(sent["total"], code)
    else { return nil }
    func money(_ key: String) -> ExactDecimal? { amount(sent[key], code) }
    let paid = money("amount_paid")
    let statuses: [String: InvoiceStatus] = [
      "draft": .draft, "open": paid?.isZero == false ? .partiallyPaid : .open,
      "paid": isReturned(sent, code) ? .refunded : .paid,
      "uncollectible": .writtenOff, "void": .void,
    ]
    let status = sent.filled("status")
    var invoice = Invoice(
      id: id, number: sent.filled("number"), type: .invoice,
      status: status.flatMap { statuses[$0] } ?? .unknown, rawStatus: status ?? "",
      contact: Party(
        id: reference(sent["customer"]), name: sent.filled("customer_name"),
        email: sent.filled("customer_email"),
        taxNumber: sent.list("customer_tax_ids").lazy.compactMap { $0.filled("value") }.first,
        address: address(sent["customer_address"])),
      currency: currency,
      issueDate: day(sent["effective_at"]) ?? day(sent.at("status_transitions", "finalized_at")),
      dueDate: day(sent["due_date"]), subtotal: money("total_excluding_tax"),
      totalTax: money("tax"), total: total, amountPaid: paid,
      amountCredited: credited(sent, code), amountDue: money("amount_remaining"))
    let country = sent.filled("account_country")
    if country != nil || sent.filled("account_name") != nil {
      invoice.ownParty = Party(
        name: sent.filled("account_name"), address: country.map { PostalAddress(country: $0) })
    }
    addAllowances(to: &invoice, sent, code)
    let taxes = sent.list("total_tax_amounts")
    invoice.linesIncludeTax =
      taxes.isEmpty ? nil : taxes.contains { $0["inclusive"]?.isTrue == true }
    invoice.taxBreakdown = taxes.map { tax in
      let rate = tax["tax_rate"] ?? .null
      return TaxSubtotal(
        name: reference(tax["tax_rate"], "display_name"), rate: rate.decimal("percentage"),
        taxableAmount: amount(tax["taxable_amount"], code),
        taxAmount: amount(tax["amount"], code) ?? .zero,
        exemptionReason: tax.filled("taxability_reason"))
    }
    invoice.paidDate = day(sent.at("status_transitions", "paid_at"))
    let exempt = sent.filled("customer_tax_exempt")
    invoice.isReverseCharge = exempt.map { $0 == "reverse" }
    invoice.taxExemption = exempt == "none" ? nil : exempt
    invoice.customFields = sent.list("custom_fields").map {
      CustomField(name: $0.filled("name"), value: $0.filled("value"))
    }
    let lines = sent["lines"]?.list("data") ?? []
    invoice.lines = lines.map { line($0, code) }
    // The period of the invoice itself looks back, to when its items were added.
    let periods = lines.compactMap { $0["period"] }.filter { $0["start"] != $0["end"] }
    invoice.periodStart = periods.compactMap { day($0["start"]) }.min()
    invoice.periodEnd = periods.compactMap { day($0["end"]) }.max()
    let date = day(sent.at("status_transitions", "paid_at"))
    if let paid, !paid.isZero {
      invoice.payments = [
        InvoicePayment(
          id: reference(sent["charge"]) ?? reference(sent["payment_intent"]), date: date,
          amount: paid)
      ]
      if let charge = sent["charge"], charge["paid"] == .flag(true) {
        invoice.payments[0].method = charge["payment_method_details"]?.filled("type")
        invoice.payments[0].reference = charge.filled("receipt_number")
      }
    }
    if let customer = invoice.contact.id, let settled = settledByBalance(sent, code) {
      invoice.allocations = [
        Allocation(
          invoiceID: customer, invoiceNumber: "customer balance", date: invoice.issueDate,
          amount: settled)
      ]
    }
    return invoice
  }

  /// Returns whether credit notes gave back all that was paid.
  private func isReturned(_ sent: Node, _ code: String) -> Bool {
    guard let paid = amount(sent["amount_paid"], code),
      let returned = amount(sent["post_payment_credit_notes_amount"], code), !returned.isZero
    else { return false }
    return returned >= paid
  }

  private func line(_ row: Node, _ code: String) -> InvoiceLine {
    let price = row["price"] ?? .null
    var unit = price["unit_amount_decimal"]?.string.map(Node.number) ?? price["unit_amount"]
    // Neither a whole period nor a package is what the quantity counts.
    let package = price["transform_quantity"] ?? .null
    if row["proration"]?.isTrue == true || package != .null { unit = nil }
    let taxes = row.list("tax_amounts").compactMap { amount($0["amount"], code) }
    var line = InvoiceLine(
      id: row.filled("id"), description: row.filled("description"),
      quantity: row.decimal("quantity"), unitAmount: amount(unit, code),
      taxAmount: taxes.isEmpty ? nil : ExactDecimal.sum(taxes),
      lineAmount: amount(row["amount"], code))
    (line.itemCode, line.itemName) = (reference(price["product"]), price.filled("nickname"))
    if let period = row["period"], period["start"] != period["end"] {
      (line.periodStart, line.periodEnd) = (day(period["start"]), day(period["end"]))
    }
    return line
  }

  /// The sum of all credit notes, and of what the customer's balance settled.
  private func credited(_ sent: Node, _ code: String) -> ExactDecimal? {
    let parts = ["pre_payment_credit_notes_amount", "post_payment_credit_notes_amount"]
      .compactMap { amount(sent[$0], code) }
    let notes = parts.isEmpty ? nil : ExactDecimal.sum(parts)
    guard let settled = settledByBalance(sent, code) else { return notes }
    return (notes ?? .zero).adding(settled)
  }

  /// The amount that the customer's balance settled; `nil` for none.
  private func settledByBalance(_ sent: Node, _ code: String) -> ExactDecimal? {
    guard let start = amount(sent["starting_balance"], code),
      let end = amount(sent["ending_balance"], code), let settled = end.subtracting(start)
    else { return nil }
    return settled.isZero ? nil : settled
  }

  private func addAllowances(to invoice: inout Invoice, _ sent: Node, _ code: String) {
    let discounts = sent.list("total_discount_amounts").map {
      AllowanceCharge(
        id: reference($0["discount"]), isCharge: false, amount: amount($0["amount"], code) ?? .zero)
    }
    let shipping = amount(sent.at("shipping_cost", "amount_subtotal"), code)
    invoice.allowanceTotal = discounts.isEmpty ? nil : ExactDecimal.sum(discounts.map(\.amount))
    invoice.chargeTotal = shipping
    invoice.allowancesAndCharges =
      discounts + (shipping.map { [AllowanceCharge(isCharge: true, amount: $0)] } ?? [])
  }

  /// An object's identifier, which may stand in place of the object.
  private func reference(_ node: Node?, _ key: String = "id") -> String? {
    node?.string.flatMap { $0.isEmpty ? nil : $0 } ?? node?.filled(key)
  }

  private func address(_ node: Node?) -> PostalAddress? {
    guard let node else { return nil }
    let address = PostalAddress(
      lines: ["line1", "line2"].compactMap { node.filled($0) }
        .flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) },
      city: node.filled("city"), postalCode: node.filled("postal_code"),
      region: node.filled("state"), country: node.filled("country"))
    return address == PostalAddress() ? nil : address
  }

  /// An amount in units of Stripe's own list of currencies.
  ///
  /// https://docs.stripe.com/currencies#minor-units
  private func amount(_ node: Node?, _ code: String) -> ExactDecimal? {
    let digits = ["jpy": 0, "mga": 0, "kwd": 3][code] ?? 2
    return node?.digits.flatMap { ExactDecimal("\($0)") }.flatMap {
      ExactDecimal(coefficient: $0.coefficient, scale: $0.scale + digits)
    }
  }

  private func day(_ node: Node?) -> CalendarDate? {
    guard let seconds = node?.digits.flatMap({ Double($0) }) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSince1970: seconds))
    return CalendarDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
  }
}
