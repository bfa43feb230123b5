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

/// The name of a field in a description, such as `contact.name`.
///
/// Rows are read name by name: a name is a number here, so that its field is found without hashing
/// a text.
package enum RESTName: Int, CaseIterable, Sendable {
  case id, number, type, status, currency, version, reference, orderNumber, linesIncludeTax
  case issueDate, dueDate, periodStart, periodEnd, updatedAt
  case lineTotal, allowanceTotal, chargeTotal, subtotal, totalTax, total
  case amountPaid, amountCredited, roundingAmount, amountDue
  // Contacts, and elements of lists.
  case name, email, phone, taxNumber, isCustomer, isSupplier
  case description, quantity, unitAmount, discountAmount, taxRate, taxType, taxAmount, lineAmount
  case accountCode, amount, reason, rate, taxableAmount, date, fileName, mediaType, url
  // Parties.
  case contactID, contactName, contactEmail, contactTaxNumber
  case contactLine1, contactLine2, contactLine3
  case contactCity, contactPostalCode, contactRegion, contactCountry
  case ownPartyID, ownPartyName, ownPartyEmail, ownPartyTaxNumber
  case ownPartyLine1, ownPartyLine2, ownPartyLine3
  case ownPartyCity, ownPartyPostalCode, ownPartyRegion, ownPartyCountry

  private static let texts = allCases.map(\.spelling)
  private static let names = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.spelling, $0) })

  /// The name as users write it.
  package var text: String { Self.texts[rawValue] }

  /// True if the field is true or false.
  var isFlag: Bool { [.linesIncludeTax, .isCustomer, .isSupplier].contains(self) }

  /// Returns the name that a user wrote; `nil` for an unknown one.
  package init?(_ text: String) {
    guard let name = Self.names[text] else { return nil }
    self = name
  }

  /// The name of the case; for the field of a party, `contact.name` or `contact.address.line1`.
  private var spelling: String {
    let name = "\(self)"
    for party in ["contact", "ownParty"] where name.hasPrefix(party) && name != party {
      let part = name.dropFirst(party.count)
      switch part {
      case "ID": return "\(party).id"
      case "Name", "Email", "TaxNumber":
        return "\(party).\(part.prefix(1).lowercased())\(part.dropFirst())"
      default: return "\(party).address.\(part.prefix(1).lowercased())\(part.dropFirst())"
      }
    }
    return name
  }
}
