import Foundation
import Models
import Providers
import SyncSupport
import Testing

/// Documents of QuickBooks, made from Intuit's XML schema in the form of its JSON.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Vendors.isThere, "\(Vendors.absence)"))
struct QuickBooksInvoiceTests {
  private static let kinds = ["Invoice", "CreditMemo", "Bill", "VendorCredit"]

  // Edge case 51
  @Test(
    "documents that QuickBooks' schema allows are stored as they were sent", arguments: Seeds.all)
  func stored(seed: UInt64) async throws {
    let generator = XMLSchemaGenerator(schema: try Self.schema.get(), interesting: Self.read)
    var random = SeededRandom(seed: seed)
    var rows: [Node] = []
    for kind in Self.kinds {
      for number in 0..<40 {
        var sent = generator.object(kind, &random)
        sent["Id"] = .text("\(number + 1)")
        sent["MetaData"] = .object([
          "LastUpdatedTime": .text("2026-01-01T10:\(number + 10):00-08:00")
        ])
        if sent["TotalAmt"] == nil { sent["TotalAmt"] = .number(SchemaGenerator.decimal(&random)) }
        rows.append(.object([kind: sent]))
      }
    }
    let url = try #require(URL(string: "https://quickbooks.test"))
    let books = WrittenBooks(
      provider: "quickbooks", seed: seed,
      feed: QuickBooksFeed(QuickBooksInvoices.self, baseURL: url, realmID: "4620816365"),
      server: { rows, json in
        let lists = Dictionary(
          uniqueKeysWithValues: Self.kinds.map { kind in
            (kind, json(.list(rows.compactMap { $0[kind] })))
          })
        return WrittenServer { _, query in
          let words = (query["query"] ?? "").split(separator: " ").map(String.init)
          let kind = words.count > 3 ? words[3] : ""
          // Each list is one page, so that the page after its newest change is empty.
          let list =
            switch kind {
            case "Preferences":
              #""Preferences":[{"CurrencyPrefs":{"HomeCurrency":{"value":"AUD"}}}]"#
            case _ where words.contains("where"): ""
            default: "\"\(kind)\":\(lists[kind] ?? "[]")"
            }
          return #"{"QueryResponse":{\#(list)},"time":"2026-02-01T10:00:00.000-08:00"}"#
        }
      },
      reading: { row in
        row.members.first.flatMap { QuickBooksReading.invoice($0.value, $0.key) }
      })
    try await books.check(rows)
  }

  private static let schema = Result { try QuickBooksSchema.read() }
  private static let read: Set<String> = [
    "DocNumber", "CustomerRef", "VendorRef", "BillEmail", "BillAddr", "VendorAddr", "CurrencyRef",
    "TxnDate", "DueDate", "TxnTaxDetail", "TotalAmt", "Balance", "RemainingCredit", "Deposit",
    "PrivateNote", "GlobalTaxCalculation", "CustomField", "Line", "Address", "Name", "StringValue",
    "TotalTax", "TaxLine", "Id", "Description", "Amount", "DetailType", "SalesItemLineDetail",
    "ItemBasedExpenseLineDetail", "AccountBasedExpenseLineDetail", "GroupLineDetail", "Qty",
    "UnitPrice", "DiscountAmt", "TaxCodeRef", "ItemAccountRef", "AccountRef", "TaxLineDetail",
    "TaxRateRef", "TaxPercent", "NetAmountTaxable", "PercentBased", "Line1", "Line2", "Line3",
    "Line4", "Line5", "City", "PostalCode", "CountrySubDivisionCode", "Country", "ExchangeRate",
    "HomeTotalAmt", "HomeBalance", "ClassRef", "DepartmentRef", "ProjectRef", "LessCIS",
    "TaxExemptionRef", "PONumber", "BooleanValue", "DateValue", "NumberValue", "DiscountRate",
    "TaxAmount", "ItemRef", "ServiceDate", "TDSLineDetail",
  ]
}

/// Values that an XML schema allows, in the form of Intuit's JSON.
private struct XMLSchemaGenerator {
  let schema: XMLSchema
  let interesting: Set<String>

  func object(_ type: String, _ random: inout SeededRandom, depth: Int = 4) -> Node {
    var members: [String: Node] = [:]
    let share = random.one(of: [10, 50, 90, 100])
    let all = schema.members(of: type)
    // One member of each choice.
    let choices = Dictionary(grouping: all.filter { $0.choice != nil }) { $0.choice ?? 0 }
    var chosen: Set<String> = []
    for (_, group) in choices.sorted(by: { $0.key < $1.key }) {
      let wanted = group.filter { interesting.contains($0.name) }
      chosen.insert(random.one(of: wanted.isEmpty ? group : wanted).name)
    }
    for member in all where member.choice == nil || chosen.contains(member.name) {
      let isWanted = interesting.contains(member.name)
      guard random.chance(isWanted ? share : depth > 2 ? share / 8 : 0) else { continue }
      members[member.name] = value(member, &random, depth)
    }
    if type == "Line" { members["DetailType"] = detail(members, &random) }
    if type == "CustomField", random.chance(30) { members["Name"] = .text("P.O. Number") }
    return .object(members)
  }

  /// Returns the word for what a line has; without any, one of those that have no member.
  private func detail(_ members: [String: Node], _ random: inout SeededRandom) -> Node? {
    let words = schema.enumerations["LineDetailTypeEnum"] ?? []
    if let word = words.first(where: { members[$0] != nil }) { return .text(word) }
    return random.chance(20)
      ? nil
      : .text(random.one(of: ["DescriptionOnly", "SubTotalLineDetail", "DiscountLineDetail"]))
  }

  private func value(
    _ member: XMLSchema.Member, _ random: inout SeededRandom, _ depth: Int
  ) -> Node? {
    guard member.isList else { return single(member, &random, depth) }
    guard depth > 0 else { return .list([]) }
    return .list(
      (0..<random.within(0...3)).compactMap { _ in single(member, &random, depth) })
  }

  private func single(
    _ member: XMLSchema.Member, _ random: inout SeededRandom, _ depth: Int
  ) -> Node? {
    switch member.type {
    case "xs:decimal": return .number(SchemaGenerator.decimal(&random))
    case "xs:int", "xs:integer", "xs:positiveInteger", "xs:short", "xs:long":
      return .number("\(random.below(100))")
    case "xs:boolean": return .flag(random.chance(50))
    case "xs:date":
      return .text(SchemaGenerator.day(&random) + random.one(of: ["", "", "", "Z", "-08:00"]))
    case "xs:dateTime": return .text(SchemaGenerator.day(&random) + "T10:11:12-08:00")
    case "id": return .text("\(random.below(1_000))")
    case "ReferenceType":
      let value =
        member.name == "CurrencyRef"
        ? random.one(of: ["USD", "AUD", "JPY"]) : "\(random.below(1_000))"
      return .object(
        ["value": .text(value)].merging(
          random.chance(70) ? ["name": .text(random.one(of: SchemaGenerator.texts))] : [:]
        ) { $1 })
    default: break
    }
    if member.name == "PrivateNote", random.chance(20) { return .text("Voided - by the owner") }
    if let words = schema.enumerations[member.type], !words.isEmpty {
      return .text(random.one(of: words))
    }
    if !schema.members(of: member.type).isEmpty {
      return depth > 0 ? object(member.type, &random, depth: depth - 1) : nil
    }
    return .text(random.one(of: SchemaGenerator.texts))
  }
}

/// The meaning of a document of QuickBooks, read without the package's reader.
private enum QuickBooksReading {
  static func invoice(_ sent: Node, _ kind: String) -> Invoice? {
    guard let id = sent.filled("Id"), let total = sent.decimal("TotalAmt"),
      let currency = Currency(code: sent["CurrencyRef"]?.filled("value") ?? "AUD")
    else { return nil }
    let balance = sent.decimal("Balance")
    let due = kind == "CreditMemo" ? sent.decimal("RemainingCredit") ?? balance : balance
    let isVoid =
      total.isZero && due?.isZero ?? true && sent.filled("PrivateNote")?.hasPrefix("Voided") == true
    var status = InvoiceStatus.unknown
    if let due { status = due.isZero ? .paid : due == total ? .open : .partiallyPaid }
    let isSale = kind == "Invoice" || kind == "CreditMemo"
    let party = sent[isSale ? "CustomerRef" : "VendorRef"]
    let types: [String: InvoiceType] = [
      "Invoice": .invoice, "CreditMemo": .creditNote, "Bill": .bill, "VendorCredit": .billCredit,
    ]
    var invoice = Invoice(
      id: kind == "Invoice" ? id : kind.lowercased() + "/" + id, number: sent.filled("DocNumber"),
      type: types[kind] ?? .invoice, status: isVoid ? .void : status,
      rawStatus: isVoid ? "Voided" : "",
      contact: Party(
        id: party?.filled("value").map { isSale ? $0 : "vendor/" + $0 },
        name: party?.filled("name"),
        email: sent["BillEmail"]?.filled("Address"),
        address: address(sent["BillAddr"] ?? sent["VendorAddr"])),
      currency: currency, issueDate: day(sent["TxnDate"]), dueDate: day(sent["DueDate"]),
      updatedAt: sent["MetaData"]?.filled("LastUpdatedTime").flatMap(Timestamp.init),
      totalTax: sent["TxnTaxDetail"]?.decimal("TotalTax"), total: total, amountDue: due)
    var parts = Lines()
    for row in sent.list("Line") { parts.add(row) }
    invoice.lines = parts.items.map { item in
      var line = item.line
      let classes = [
        ("Class", reference(item.detail["ClassRef"]) ?? reference(sent["ClassRef"])),
        ("Location", reference(sent["DepartmentRef"])),
        ("Project", reference(item.row["ProjectRef"]) ?? reference(sent["ProjectRef"])),
      ].compactMap { title, value in value.map { title + ": " + $0 } }
      line.tracking = classes.isEmpty ? nil : classes.joined(separator: "; ")
      return line
    }
    invoice.home.currency = Currency(code: "AUD")
    invoice.home.exchangeRate = sent.decimal("ExchangeRate")
    invoice.home.total = sent.decimal("HomeTotalAmt")
    invoice.home.amountDue = sent.decimal("HomeBalance")
    invoice.withheldAmount = sent.decimal("LessCIS") ?? parts.withheld
    invoice.taxExemption = reference(sent["TaxExemptionRef"])
    invoice.customFields = sent.list("CustomField").compactMap { field in
      let value =
        ["StringValue", "DateValue", "NumberValue"].lazy.compactMap {
          field.filled($0)
            ?? field[$0]?.digits.map { ExactDecimal($0)?.description ?? $0 }
        }.first ?? field["BooleanValue"].map { $0.isTrue ? "true" : "false" }
      return value.map { CustomField(name: field.filled("Name"), value: $0) }
    }
    invoice.lineTotal = parts.subtotal
    invoice.allowancesAndCharges = parts.discounts
    invoice.allowanceTotal =
      parts.discounts.isEmpty ? nil : ExactDecimal.sum(parts.discounts.map(\.amount))
    invoice.orderNumber =
      sent.filled("PONumber")
      ?? invoice.customFields.filter { ["P.O. Number", "PO Number"].contains($0.name) }
      .last?.value
    invoice.linesIncludeTax =
      sent.filled("GlobalTaxCalculation") == "TaxExcluded" ? false : nil
    invoice.taxBreakdown = (sent["TxnTaxDetail"]?.list("TaxLine") ?? []).compactMap(tax)
    if let deposit = sent.decimal("Deposit"), !deposit.isZero {
      invoice.payments = [InvoicePayment(amount: deposit)]
    }
    return invoice
  }

  /// The name of what a reference points to, or its identifier.
  private static func reference(_ node: Node?) -> String? {
    node?.filled("name") ?? node?.filled("value")
  }

  private struct Lines {
    var items: [(line: InvoiceLine, detail: Node, row: Node)] = []
    var withheld: ExactDecimal?
    var subtotal: ExactDecimal?
    var discounts: [AllowanceCharge] = []

    mutating func add(_ row: Node) {
      let amount = row.decimal("Amount")
      switch row.filled("DetailType") {
      case "SubTotalLineDetail": subtotal = amount
      case "DiscountLineDetail":
        guard let amount else { return }
        discounts.append(
          AllowanceCharge(
            id: row.filled("Id"), isCharge: false, amount: amount,
            reason: row.filled("Description")))
      case "GroupLineDetail":
        var group = Lines()
        for row in row["GroupLineDetail"]?.list("Line") ?? [] { group.add(row) }
        items += group.items
      default:
        let detail =
          ["SalesItemLineDetail", "ItemBasedExpenseLineDetail", "AccountBasedExpenseLineDetail"]
          .compactMap { row[$0] }.first ?? .null
        var line = InvoiceLine(
          id: row.filled("Id"), description: row.filled("Description"),
          quantity: detail.decimal("Qty"), unitAmount: detail.decimal("UnitPrice"),
          taxType: detail["TaxCodeRef"]?.filled("value"), lineAmount: amount,
          accountCode: (detail["ItemAccountRef"] ?? detail["AccountRef"])?.filled("value"))
        line.discountAmount = detail.decimal("DiscountAmt")
        line.discountRate = detail.decimal("DiscountRate")
        line.taxAmount = detail.decimal("TaxAmount")
        line.itemCode = detail["ItemRef"]?.filled("value")
        line.itemName = detail["ItemRef"]?.filled("name")
        line.taxName = detail["TaxCodeRef"]?.filled("name")
        line.accountName = (detail["ItemAccountRef"] ?? detail["AccountRef"])?.filled("name")
        line.periodStart = QuickBooksReading.day(detail["ServiceDate"])
        line.periodEnd = line.periodStart
        if row.filled("DetailType") == "TDSLineDetail", let amount {
          withheld = (withheld ?? .zero).adding(amount.magnitude)
        }
        items.append((line, detail, row))
      }
    }
  }

  private static func tax(_ row: Node) -> TaxSubtotal? {
    guard let amount = row.decimal("Amount") else { return nil }
    let detail = row["TaxLineDetail"] ?? .null
    return TaxSubtotal(
      name: detail["TaxRateRef"]?.filled("value"),
      rate: detail["PercentBased"] == .flag(false) ? nil : detail.decimal("TaxPercent"),
      taxableAmount: detail.decimal("NetAmountTaxable"), taxAmount: amount)
  }

  private static func address(_ node: Node?) -> PostalAddress? {
    guard let node else { return nil }
    let address = PostalAddress(
      lines: (1...5).compactMap { node.filled("Line\($0)") }
        .flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) },
      city: node.filled("City"), postalCode: node.filled("PostalCode"),
      region: node.filled("CountrySubDivisionCode"), country: node.filled("Country"))
    return address == PostalAddress() ? nil : address
  }

  fileprivate static func day(_ node: Node?) -> CalendarDate? {
    node?.string.flatMap { CalendarDate(String($0.prefix(10))) }
  }
}
