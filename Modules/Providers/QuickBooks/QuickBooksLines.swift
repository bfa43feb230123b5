import JSONReading
import Models
import Sync

/// The classes by which a line is analysed, or a whole document.
struct QuickBooksClasses {
  var name: String?
  var location: String?
  var project: String?
}

/// The lines of a document: items, and between them subtotals, discounts and groups of lines.
struct QuickBooksLines {
  /// The items that were sold or bought, each with its class.
  private var items: [(line: InvoiceLine, classes: QuickBooksClasses)] = []
  /// The sum of the tax that the payer withholds (TDS); `nil` without any.
  private(set) var withheld: ExactDecimal?
  /// The sum of the lines.
  private(set) var subtotal: ExactDecimal?
  /// The sum of the discounts on the whole document; `nil` without any.
  var discount: ExactDecimal? {
    discounts.isEmpty ? nil : ExactDecimal.sum(discounts.map(\.amount))
  }
  /// The discounts on the whole document.
  private(set) var discounts: [AllowanceCharge] = []

  /// Returns the items that were sold or bought.
  ///
  /// - Parameter classes: those of the whole document.
  func lines(_ classes: QuickBooksClasses) -> [InvoiceLine] {
    items.map { item in
      var line = item.line
      line.tracking = InvoiceLine.tracking([
        ("Class", item.classes.name ?? classes.name), ("Location", classes.location),
        ("Project", item.classes.project ?? classes.project),
      ])
      return line
    }
  }

  /// Reads one element of `Line`.
  mutating func read(_ reader: inout JSONReader) throws {
    var line = InvoiceLine()
    var (kind, classes) = ("", QuickBooksClasses())
    var members: [QuickBooksLines] = []
    try reader.readObject { reader, key in
      switch key {
      case "Id": line.id = try reader.readOptionalString()
      case "Description": line.description = try reader.readOptionalString()
      case "Amount": line.lineAmount = try reader.readOptionalDecimal()
      case "DetailType": kind = try reader.readOptionalString() ?? ""
      case "SalesItemLineDetail", "ItemBasedExpenseLineDetail", "AccountBasedExpenseLineDetail":
        try reader.readOptional { try Self.readDetail(&$0, into: &line, &classes) }
      case "ProjectRef": classes.project = try QuickBooksInvoice.name(&reader)
      case "GroupLineDetail": try reader.readOptional { members.append(try Self.readGroup(&$0)) }
      default: try reader.skipValue()
      }
    }
    switch kind {
    case "SubTotalLineDetail": subtotal = line.lineAmount
    case "DiscountLineDetail":
      guard let amount = line.lineAmount else { return }
      discounts.append(
        AllowanceCharge(id: line.id, isCharge: false, amount: amount, reason: line.description))
    // The amount of a group is the sum of its lines and would count twice.
    case "GroupLineDetail": items += members.flatMap(\.items)
    case "TDSLineDetail":
      withheld = line.lineAmount.flatMap { (withheld ?? .zero).adding($0.magnitude) }
      items.append((line, classes))
    default: items.append((line, classes))
    }
  }

  private static func readDetail(
    _ reader: inout JSONReader, into line: inout InvoiceLine, _ classes: inout QuickBooksClasses
  ) throws {
    try reader.readObject { reader, key in
      switch key {
      case "Qty": line.quantity = try reader.readOptionalDecimal()
      case "UnitPrice": line.unitAmount = try reader.readOptionalDecimal()
      case "DiscountAmt": line.discountAmount = try reader.readOptionalDecimal()
      case "DiscountRate": line.discountRate = try reader.readOptionalDecimal()
      case "TaxAmount": line.taxAmount = try reader.readOptionalDecimal()
      case "ItemRef":
        let item = try QuickBooksReference(&reader)
        (line.itemCode, line.itemName) = (item?.value, item?.name)
      case "ClassRef": classes.name = try QuickBooksInvoice.name(&reader)
      case "ServiceDate":
        line.periodStart = try reader.readQuickBooksDay()
        line.periodEnd = line.periodStart
      case "TaxCodeRef":
        let tax = try QuickBooksReference(&reader)
        (line.taxType, line.taxName) = (tax?.value, tax?.name)
      case "ItemAccountRef", "AccountRef":
        let account = try QuickBooksReference(&reader)
        (line.accountCode, line.accountName) = (account?.value, account?.name)
      default: try reader.skipValue()
      }
    }
  }

  private static func readGroup(_ reader: inout JSONReader) throws -> QuickBooksLines {
    var group = QuickBooksLines()
    try reader.readObject { reader, key in
      switch key {
      case "Line": try reader.readList { try group.read(&$0) }
      default: try reader.skipValue()
      }
    }
    return group
  }

  /// Reads one element of `TaxLine`; returns `nil` if it has no amount.
  static func readTax(_ reader: inout JSONReader) throws -> TaxSubtotal? {
    var amount: ExactDecimal?
    var tax = TaxSubtotal(taxAmount: .zero)
    var isPercent = true
    try reader.readObject { reader, key in
      switch key {
      case "Amount": amount = try reader.readOptionalDecimal()
      case "TaxLineDetail":
        try reader.readOptional {
          try $0.readObject { reader, key in
            switch key {
            case "TaxRateRef": tax.name = try QuickBooksReference(&reader)?.value
            case "TaxPercent": tax.rate = try reader.readOptionalDecimal()
            case "NetAmountTaxable": tax.taxableAmount = try reader.readOptionalDecimal()
            case "PercentBased": isPercent = try reader.readOptionalBool() ?? true
            default: try reader.skipValue()
            }
          }
        }
      default: try reader.skipValue()
      }
    }
    guard let amount else { return nil }
    tax.taxAmount = amount
    if !isPercent { tax.rate = nil }
    return tax
  }
}
