import Models

/// A file of an invoice, always with the same bytes for the same version of the invoice.
enum LedgerDocument: Sendable {
  case pdf(LedgerInvoice)
  case note(LedgerSettlement)
  case ubl(LedgerInvoice)
  case attachment(LedgerAttachment)

  /// The identity of the file, whatever the version of the invoice.
  var key: String {
    switch self {
    case .pdf(let invoice): "pdf " + invoice.id
    case .note(let note): "pdf " + note.id
    case .ubl(let invoice): "ubl " + invoice.id
    case .attachment(let attachment): "attachment " + attachment.id
    }
  }

  var name: String {
    switch self {
    case .pdf(let invoice): (invoice.number ?? "invoice") + ".pdf"
    case .note(let note): note.number + ".pdf"
    case .ubl(let invoice): (invoice.number ?? "invoice") + ".xml"
    case .attachment(let attachment): attachment.name
    }
  }

  func content(_ options: SandboxDocuments) -> DocumentContent {
    switch self {
    case .pdf(let invoice):
      Self.page("Invoice", invoice.number ?? invoice.id, invoice.date, invoice.total, of: invoice)
        .rendered(options)
    case .note(let note):
      Self.page("Credit note", note.number, note.date, note.amount, of: note.invoice)
        .rendered(options)
    case .ubl(let invoice): DocumentContent(text: invoice.ubl, mediaType: "application/xml")
    case .attachment(let attachment): attachment.content(options)
    }
  }

  private static func page(
    _ title: String, _ number: String, _ date: CalendarDate?, _ total: ExactDecimal,
    of invoice: LedgerInvoice
  ) -> [String] {
    [
      "\(title) \(number)", "Date \(date?.description ?? "none")",
      "Total \(invoice.currencyCode) \(total)", "Changed \(invoice.updatedAt)",
    ]
  }
}

extension [String] {
  fileprivate func rendered(_ options: SandboxDocuments) -> DocumentContent {
    let lines = options.rendersAnew ? self + ["Rendered as \(RandomToken.make())"] : self
    return .pdf(lines, seed: SplitMix64.hash(of: lines.joined()), size: options.size)
  }
}

/// A file that somebody attached to an invoice.
struct LedgerAttachment: Sendable {
  let id: String
  let name: String
  let invoice: LedgerInvoice
  private let isImage: Bool
  private let size: Int

  var mediaType: String { isImage ? "image/png" : "application/pdf" }

  /// Returns the attachments of an invoice; the same ones for the same invoice.
  static func of(_ invoice: LedgerInvoice, _ options: SandboxDocuments) -> [LedgerAttachment] {
    guard invoice.hasAttachments else { return [] }
    var random = SplitMix64(seed: SplitMix64.hash(of: "attachments of " + invoice.id))
    let names = options.attachmentNames
    let drawn = options.attachments > 0 ? 1 + random.below(options.attachments) : 0
    return (0..<(names.isEmpty ? drawn : names.count)).map { number in
      let (id, isImage, size) = (random.identifier(), random.chance(50), random.below(4_000))
      let name = names.isEmpty ? "receipt-\(number + 1).\(isImage ? "png" : "pdf")" : names[number]
      return LedgerAttachment(id: id, name: name, invoice: invoice, isImage: isImage, size: size)
    }
  }

  func content(_ options: SandboxDocuments) -> DocumentContent {
    let (seed, size) = (SplitMix64.hash(of: id), max(size, options.size))
    return isImage ? .image(seed: seed, size: size) : .pdf(["File " + id], seed: seed, size: size)
  }
}

extension LedgerInvoice {
  /// The invoice as an e-invoice in UBL 2.1, with the elements that every invoice has.
  fileprivate var ubl: String {
    func element(_ name: String, _ text: String?, _ attributes: String = "") -> String {
      let escaped = (text ?? "").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      return "<\(name)\(attributes)>\(escaped)</\(name)>"
    }
    let currency = " currencyID=\"\(currencyCode)\""
    let namespace = "urn:oasis:names:specification:ubl:schema:xsd:"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <Invoice xmlns="\(namespace)Invoice-2" xmlns:cac="\(namespace)CommonAggregateComponents-2" \
      xmlns:cbc="\(namespace)CommonBasicComponents-2">
      \(element("cbc:CustomizationID", "urn:cen.eu:en16931:2017"))
      \(element("cbc:ID", number ?? id))
      \(element("cbc:IssueDate", date?.description))
      \(element("cbc:InvoiceTypeCode", "380"))
      \(element("cbc:Note", "Changed \(updatedAt)"))
      \(element("cbc:DocumentCurrencyCode", currencyCode))
      <cac:AccountingCustomerParty><cac:Party><cac:PartyName>\(element("cbc:Name", contact.name))\
      </cac:PartyName></cac:Party></cac:AccountingCustomerParty>
      <cac:LegalMonetaryTotal>
      \(element("cbc:TaxExclusiveAmount", subTotal.description, currency))
      \(element("cbc:TaxInclusiveAmount", total.description, currency))
      \(element("cbc:PayableAmount", amountDue.description, currency))
      </cac:LegalMonetaryTotal>
      </Invoice>

      """
  }
}
