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

    init(_ field: RESTName, _ kind: Kind, isRequired: Bool = false) {
      self.field = field
      self.kind = kind
      self.isRequired = isRequired
    }
  }

  /// The fields with a single value.
  package let fields: [Definition]
  /// The lists, with the fields of their elements.
  package let lists: [(name: String, fields: [Definition])]

  /// Returns the schema of a resource.
  package static func of(_ resource: Resource) -> RESTSchema {
    switch resource {
    case .invoices: invoices
    case .contacts: contacts
    }
  }

  /// The fields of `Invoice`.
  package static let invoices = RESTSchema(
    fields: [
      .init(.id, .text, isRequired: true),
      .init(.number, .text),
      .init(
        .type, .word(InvoiceType.allCases.map(\.rawValue), keepsUnknown: false), isRequired: true),
      .init(
        .status, .word(InvoiceStatus.allCases.map(\.rawValue), keepsUnknown: true),
        isRequired: true),
    ] + party(.contact) + party(.ownParty) + [
      .init(.currency, .currency, isRequired: true),
      .init(.issueDate, .day), .init(.dueDate, .day),
      .init(.periodStart, .day), .init(.periodEnd, .day),
      .init(.updatedAt, .instant), .init(.version, .integer),
      .init(.lineTotal, .money), .init(.allowanceTotal, .money), .init(.chargeTotal, .money),
      .init(.subtotal, .money), .init(.totalTax, .money),
      .init(.total, .money, isRequired: true),
      .init(.amountPaid, .money), .init(.amountCredited, .money),
      .init(.roundingAmount, .money), .init(.amountDue, .money),
      .init(.reference, .text), .init(.orderNumber, .text), .init(.linesIncludeTax, .boolean),
    ],
    lists: [
      (
        "lines",
        [
          .init(.id, .text), .init(.description, .text), .init(.quantity, .decimal),
          .init(.unitAmount, .money), .init(.discountAmount, .money), .init(.taxRate, .decimal),
          .init(.taxType, .text), .init(.taxAmount, .money), .init(.lineAmount, .money),
          .init(.accountCode, .text),
        ]
      ),
      ("allowances", allowanceOrCharge), ("charges", allowanceOrCharge),
      (
        "taxes",
        [
          .init(.name, .text), .init(.rate, .decimal), .init(.taxableAmount, .money),
          .init(.taxAmount, .money, isRequired: true),
        ]
      ),
      (
        "payments",
        [
          .init(.id, .text), .init(.date, .day), .init(.amount, .money, isRequired: true),
          .init(.reference, .text),
        ]
      ),
      (
        "attachments",
        [
          .init(.id, .text), .init(.fileName, .text), .init(.mediaType, .text),
          .init(.url, .text),
        ]
      ),
    ])

  private static func party(_ names: RESTPartyFields) -> [Definition] {
    names.all.map { Definition($0, .text) }
  }

  private static let allowanceOrCharge: [Definition] = [
    .init(.id, .text), .init(.amount, .money, isRequired: true), .init(.reason, .text),
  ]

  /// The fields of `Contact`.
  package static let contacts = RESTSchema(
    fields: [
      .init(.id, .text, isRequired: true),
      .init(.name, .text), .init(.email, .text), .init(.phone, .text),
      .init(.taxNumber, .text), .init(.isCustomer, .boolean), .init(.isSupplier, .boolean),
      .init(.status, .word(ContactStatus.allCases.map(\.rawValue), keepsUnknown: true)),
      .init(.updatedAt, .instant),
    ],
    lists: [])
}
