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

  /// A list inside a record.
  package struct List: Sendable {
    /// Name of the list in a description.
    package let name: String
    /// The fields of its elements.
    package let fields: [Definition]

    fileprivate init(_ name: String) {
      self.name = name
      fields = RESTSchema.definitions[name]?.compactMap(\.self) ?? []
    }
  }

  /// A field that rows are read by: what is needed of its definition for each of them.
  struct Slot: Sendable {
    let field: RESTName
    let isRequired: Bool
  }

  /// The fields with a single value, and those of parts.
  package let fields: [Definition]
  /// The same fields in the order of the record's list; `nil` for one that no description has.
  let slots: [Slot?]
  /// The lists, with the fields of their elements.
  package let lists: [List]

  private init(_ definitions: [Definition?], lists: [String]) {
    fields = definitions.compactMap(\.self)
    slots = Self.slots(definitions)
    self.lists = lists.map(List.init)
  }

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
    definitions(of: Invoice.self),
    lists: [
      "lines", "allowances", "charges", "taxes", "payments", "attachments", "allocations",
      "customFields",
    ])

  /// The fields of `Payment`.
  package static let payments = RESTSchema(
    definitions(of: Payment.self, optional: ["status"]), lists: ["allocations"])

  /// The fields of `Contact`.
  package static let contacts = RESTSchema(
    definitions(of: Contact.self, optional: ["status"]), lists: [])

  /// Returns the slots of the elements of a list.
  static func slots(ofList name: String) -> [Slot?] { slots(definitions[name] ?? []) }

  /// The definitions of the elements of each list.
  private static let definitions: [String: [Definition?]] = [
    "lines": definitions(of: InvoiceLine.self),
    // The list says which of the two an element is.
    "allowances": definitions(of: AllowanceCharge.self, besides: ["isCharge"]),
    "charges": definitions(of: AllowanceCharge.self, besides: ["isCharge"]),
    "taxes": definitions(of: TaxSubtotal.self),
    "payments": definitions(of: InvoicePayment.self),
    "attachments": definitions(of: AttachmentReference.self),
    "allocations": definitions(of: Allocation.self),
    "customFields": definitions(of: CustomField.self),
  ]

  private static func slots(_ definitions: [Definition?]) -> [Slot?] {
    definitions.map { $0.map { Slot(field: $0.field, isRequired: $0.isRequired) } }
  }

  /// The number of lines of an address that a description can have.
  static let addressLines = 3

  /// Returns the definitions in the order of a record's list; `nil` for a field that no description
  /// has.
  private static func definitions<Record: FieldListing>(
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
