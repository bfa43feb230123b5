package import Models
import Sync

/// The fields of a kind of record.
package struct RESTSchema: Sendable {
  /// The kind of a field's value.
  package enum Kind: Sendable {
    case text, integer, boolean, decimal, money, currency, day, instant
    /// One of appcore's words; if the server sends another one, `keepsUnknown` decides whether it
    /// is kept or refused.
    case word([String], keepsUnknown: Bool)
  }

  /// The definition of one field.
  package struct Definition: Sendable {
    /// The field.
    package let field: RESTName
    /// The kind of the field's value.
    package let kind: Kind
    /// True if every record must have the field.
    package let isRequired: Bool

    /// Name of the field in a description.
    package var name: String { field.text }
  }

  /// The fields with a single value, and those of parts.
  package let fields: [Definition]
  /// The lists, with the fields of their elements.
  package let lists: [(name: String, fields: [Definition])]

  /// Returns the schema of a resource.
  package static func of(_ resource: Resource) -> RESTSchema {
    switch resource.kind {
    case .invoices: invoices
    case .payments: payments
    case .contacts: contacts
    }
  }

  /// The fields of `Invoice`.
  package static let invoices = RESTSchema(
    fields: invoiceSlots.compactMap(\.self),
    lists: lists(listNames))

  /// The fields of `Payment`.
  package static let payments = RESTSchema(
    fields: paymentSlots.compactMap(\.self), lists: lists(["allocations"]))

  /// The fields of `Contact`.
  package static let contacts = RESTSchema(fields: contactSlots.compactMap(\.self), lists: [])

  // The definitions in the order of the records' lists; `nil` for a field that no description has.
  static let invoiceSlots = slots(of: Invoice.self)
  static let paymentSlots = slots(of: Payment.self, optional: ["status"])
  static let contactSlots = slots(of: Contact.self, optional: ["status"])
  /// The slots of the elements of each list.
  static let listSlots: [String: [Definition?]] = [
    "lines": slots(of: InvoiceLine.self),
    // The list says which of the two an element is.
    "allowances": slots(of: AllowanceCharge.self, besides: ["isCharge"]),
    "charges": slots(of: AllowanceCharge.self, besides: ["isCharge"]),
    "taxes": slots(of: TaxSubtotal.self),
    "payments": slots(of: InvoicePayment.self),
    "attachments": slots(of: AttachmentReference.self),
    "allocations": slots(of: Allocation.self),
    "customFields": slots(of: CustomField.self),
  ]

  private static func lists(_ names: [String]) -> [(name: String, fields: [Definition])] {
    names.map { ($0, listSlots[$0]?.compactMap(\.self) ?? []) }
  }

  private static let listNames = [
    "lines", "allowances", "charges", "taxes", "payments", "attachments", "allocations",
    "customFields",
  ]

  /// The number of lines of an address that a description can have.
  static let addressLines = 3

  private static func slots<Record: FieldListing>(
    of _: Record.Type, besides left: Set<String> = [], optional: Set<String> = []
  ) -> [Definition?] {
    FieldDescription.all(of: Record.self).flatMap { field -> [Definition?] in
      // The provider's word for the status comes with the status.
      guard field.name != "rawStatus", !left.contains(field.name) else { return [nil] }
      return described(field).map { text, value -> Definition? in
        Definition(
          field: RESTName(known: text), kind: Kind(value.kind),
          isRequired: value.isRequired && !optional.contains(text))
      }
    }
  }

  /// Returns the names by which a description has a field and those of its parts.
  ///
  /// Lists have names of their own.
  static func described(
    _ field: FieldDescription, within prefix: String = ""
  ) -> [(text: String, field: FieldDescription)] {
    switch field.kind {
    case .list: []
    case .part(let fields): fields.flatMap { described($0, within: "\(prefix)\(field.name).") }
    case .texts:
      (1...addressLines).map {
        (
          "\(prefix)line\($0)",
          FieldDescription(name: field.name, kind: .text, isRequired: false)
        )
      }
    default: [(prefix + field.name, field)]
    }
  }
}

extension RESTSchema.Kind {
  fileprivate init(_ kind: FieldDescription.Kind) {
    self =
      switch kind {
      case .identifier, .text, .texts, .part, .list: .text
      case .flag: .boolean
      case .integer: .integer
      case .decimal: .decimal
      case .amount: .money
      case .day: .day
      case .instant: .instant
      case .currency: .currency
      case .word(let words, let unheard): .word(words, keepsUnknown: unheard != nil)
      }
  }
}
