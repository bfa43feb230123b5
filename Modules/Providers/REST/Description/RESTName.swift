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
