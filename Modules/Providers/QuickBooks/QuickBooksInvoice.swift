package import JSONReading
package import Models
import Sync

/// Invoices, credit memos, bills and vendor credits.
package enum QuickBooksInvoices: QuickBooksList {
  package static let kinds: [QuickBooksKind] = [.invoice, .creditMemo, .bill, .vendorCredit]

  package static func read(
    _ reader: inout JSONReader, _ kind: QuickBooksKind, homeCurrency: String?
  ) throws -> Invoice { try QuickBooksInvoice.read(&reader, kind, homeCurrency: homeCurrency) }
}

/// An invoice, a credit memo, a bill or a vendor credit, which differ in a few keys.
struct QuickBooksInvoice {
  private let kind: QuickBooksKind
  private var draft = InvoiceDraft()
  private var currency: String?
  private var balance: ExactDecimal?
  private var remainingCredit: ExactDecimal?
  private var deposit: ExactDecimal?
  private var privateNote: String?
  private var purchaseOrder: String?
  /// The classes of the whole document, which its lines share.
  private var classes = QuickBooksClasses()
  private var lines = QuickBooksLines()

  /// Reads one document.
  static func read(
    _ reader: inout JSONReader, _ kind: QuickBooksKind, homeCurrency: String?
  ) throws -> Invoice {
    var document = QuickBooksInvoice(kind: kind)
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "Id": document.draft.id = try reader.readOptionalIdentifier()
      case "DocNumber": document.draft.invoice.number = try reader.readOptionalString()
      case "CustomerRef": try document.readContact(.customer, from: &reader)
      case "VendorRef": try document.readContact(.vendor, from: &reader)
      case "BillEmail":
        document.draft.invoice.contact.email = try reader.readOptionalText(of: "Address")
      case "BillAddr", "VendorAddr":
        document.draft.invoice.contact.address = try reader.readOptional {
          try $0.readQuickBooksAddress()
        }
      case "CurrencyRef": document.currency = try QuickBooksReference(&reader)?.value
      case "TxnDate": document.draft.invoice.issueDate = try reader.readQuickBooksDay()
      case "DueDate": document.draft.invoice.dueDate = try reader.readQuickBooksDay()
      case "MetaData":
        document.draft.invoice.updatedAt = try reader.readQuickBooksUpdate()
      case "TxnTaxDetail": try reader.readOptional { try document.readTax(&$0) }
      case "TotalAmt": document.draft.total = try reader.readDecimalText()
      case "Balance": document.balance = try reader.readOptionalDecimal()
      case "RemainingCredit": document.remainingCredit = try reader.readOptionalDecimal()
      case "Deposit": document.deposit = try reader.readOptionalDecimal()
      case "PrivateNote": document.privateNote = try reader.readOptionalString()
      case "ExchangeRate":
        document.draft.invoice.home.exchangeRate = try reader.readOptionalDecimal()
      case "HomeTotalAmt": document.draft.invoice.home.total = try reader.readOptionalDecimal()
      case "HomeBalance": document.draft.invoice.home.amountDue = try reader.readOptionalDecimal()
      case "ClassRef": document.classes.name = try Self.name(&reader)
      case "DepartmentRef": document.classes.location = try Self.name(&reader)
      case "ProjectRef": document.classes.project = try Self.name(&reader)
      case "LessCIS": document.draft.invoice.withheldAmount = try reader.readOptionalDecimal()
      case "TaxExemptionRef":
        document.draft.invoice.taxExemption = try Self.name(&reader)
      case "PONumber": document.purchaseOrder = try reader.readOptionalString()
      case "GlobalTaxCalculation":
        // If tax is included, users see amounts with tax; `Amount` may still exclude it.
        document.draft.invoice.linesIncludeTax =
          try reader.readOptionalString() == "TaxExcluded" ? false : nil
      case "CustomField":
        try reader.readList { reader in
          let field = try readCustomField(&reader)
          guard field.value != nil else { return }
          document.draft.invoice.customFields.append(field)
          // A company names its own fields; these are the default names for this one.
          if ["P.O. Number", "PO Number"].contains(field.name) {
            document.draft.invoice.orderNumber = field.value
          }
        }
      case "Line": try reader.readList { try document.lines.read(&$0) }
      default: try reader.skipValue()
      }
    }
    return try document.invoice(offset: offset, homeCurrency: homeCurrency)
  }

  private init(kind: QuickBooksKind) {
    self.kind = kind
  }

  private mutating func readContact(
    _ kind: QuickBooksKind, from reader: inout JSONReader
  ) throws {
    let party = try QuickBooksReference(&reader)
    draft.invoice.contact.id = party?.value.map(kind.identifier)
    draft.invoice.contact.name = party?.name
  }

  private static func readCustomField(_ reader: inout JSONReader) throws -> CustomField {
    var field = CustomField()
    try reader.readObject { reader, key in
      switch key {
      case "Name": field.name = try reader.readOptionalString()
      case "StringValue", "DateValue", "NumberValue":
        field.value = try reader.readOptionalString() ?? field.value
      case "BooleanValue":
        field.value = try reader.readOptionalBool().map { "\($0)" } ?? field.value
      default: try reader.skipValue()
      }
    }
    return field
  }

  /// Reads a reference and returns its name, or else its identifier.
  static func name(_ reader: inout JSONReader) throws -> String? {
    try QuickBooksReference(&reader).flatMap { $0.name ?? $0.value }
  }

  private mutating func readTax(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "TotalTax": draft.invoice.totalTax = try reader.readOptionalDecimal()
      case "TaxLine":
        try reader.readList { reader in
          if let tax = try QuickBooksLines.readTax(&reader) {
            draft.invoice.taxBreakdown.append(tax)
          }
        }
      default: try reader.skipValue()
      }
    }
  }

  private func invoice(offset: Int, homeCurrency: String?) throws -> Invoice {
    var draft = draft
    draft.id = draft.id.map(kind.identifier)
    draft.type = type
    draft.currency = (currency ?? homeCurrency).flatMap(Currency.init(code:))
    let due = kind == .creditMemo ? remainingCredit ?? balance : balance
    let total = draft.total ?? .zero
    let isVoid = isVoid(total: total, due: due)
    draft.invoice.status = isVoid ? .void : Self.status(total: total, due: due)
    // QuickBooks has no other word for a status.
    draft.invoice.rawStatus = isVoid ? Self.voided : ""
    draft.invoice.amountDue = due
    draft.invoice.home.currency = homeCurrency.flatMap(Currency.init(code:))
    draft.invoice.orderNumber = purchaseOrder ?? draft.invoice.orderNumber
    draft.invoice.withheldAmount = draft.invoice.withheldAmount ?? lines.withheld
    draft.invoice.lines = lines.lines(classes)
    draft.invoice.lineTotal = lines.subtotal
    draft.invoice.allowanceTotal = lines.discount
    draft.invoice.allowancesAndCharges = lines.discounts
    draft.invoice.payments = payments
    return try draft.finished(Self.keys, at: offset)
  }

  private var type: InvoiceType? {
    switch kind {
    case .invoice: .invoice
    case .creditMemo: .creditNote
    case .bill: .bill
    case .vendorCredit: .billCredit
    case .customer, .vendor, .payment, .billPayment: nil
    }
  }

  private static let keys = InvoiceDraft.Keys(
    id: "Id", currency: "CurrencyRef", total: "TotalAmt",
    updatedAt: ["MetaData", "LastUpdatedTime"])

  /// The payment that was made when the invoice was written; a document has no amounts of later
  /// ones.
  private var payments: [InvoicePayment] {
    guard let deposit, !deposit.isZero else { return [] }
    return [InvoicePayment(amount: deposit)]
  }

  private static let voided = "Voided"

  /// Returns true for a voided document, which stays in the list.
  ///
  /// All its amounts are zero, and its note begins with `Voided`.
  private func isVoid(total: ExactDecimal, due: ExactDecimal?) -> Bool {
    total.isZero && due?.isZero ?? true && privateNote?.hasPrefix(Self.voided) ?? false
  }

  private static func status(total: ExactDecimal, due: ExactDecimal?) -> InvoiceStatus {
    guard let due else { return .unknown }
    if due.isZero { return .paid }
    return due == total ? .open : .partiallyPaid
  }
}

/// A reference to another object: `{"value":"24","name":"Sonnenschein"}`.
struct QuickBooksReference {
  private(set) var value: String?
  private(set) var name: String?

  /// Reads a reference, which a record can lack.
  init?(_ reader: inout JSONReader) throws {
    guard let read = try reader.readOptional({ try Self(object: &$0) }) else { return nil }
    self = read
  }

  private init(object reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "value": value = try reader.readOptionalString()
      case "name": name = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
  }
}

extension JSONReader {
  /// Reads the time of the last change from `MetaData`, which a record can lack.
  mutating func readQuickBooksUpdate() throws -> Timestamp? {
    try readOptional { reader in
      var instant: Timestamp?
      try reader.readMember("LastUpdatedTime") { instant = try $0.readOptionalTimestamp() }
      return instant
    }
  }

  /// Reads a date, which a record can lack.
  mutating func readQuickBooksDay() throws -> CalendarDate? {
    // Some dates are written with a time or a zone.
    let day = try readOptionalText {
      CalendarDate(utf8: $0.extracting(0..<min($0.count, 10)))
    }
    return day.flatMap { $0.isPlaceholder ? nil : $0 }
  }

  /// Reads a postal address.
  mutating func readQuickBooksAddress() throws -> PostalAddress? {
    var fields = PostalAddressReader()
    try readObject { reader, key in
      switch key {
      case "Line1": try fields.read(.line(0), from: &reader)
      case "Line2": try fields.read(.line(1), from: &reader)
      case "Line3": try fields.read(.line(2), from: &reader)
      case "Line4": try fields.read(.line(3), from: &reader)
      case "Line5": try fields.read(.line(4), from: &reader)
      case "City": try fields.read(.city, from: &reader)
      case "PostalCode": try fields.read(.postalCode, from: &reader)
      case "CountrySubDivisionCode": try fields.read(.region, from: &reader)
      case "Country": try fields.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    return fields.address
  }
}
