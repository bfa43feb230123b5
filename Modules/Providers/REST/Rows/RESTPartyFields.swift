/// The names of a party's fields.
struct RESTPartyFields: Sendable {
  /// The other party of an invoice.
  static let contact = RESTPartyFields(
    id: .contactID, name: .contactName, email: .contactEmail, taxNumber: .contactTaxNumber,
    lines: [.contactLine1, .contactLine2, .contactLine3], city: .contactCity,
    postalCode: .contactPostalCode, region: .contactRegion, country: .contactCountry)
  /// The party whose invoices are listed.
  static let ownParty = RESTPartyFields(
    id: .ownPartyID, name: .ownPartyName, email: .ownPartyEmail, taxNumber: .ownPartyTaxNumber,
    lines: [.ownPartyLine1, .ownPartyLine2, .ownPartyLine3], city: .ownPartyCity,
    postalCode: .ownPartyPostalCode, region: .ownPartyRegion, country: .ownPartyCountry)

  let id: RESTName
  let name: RESTName
  let email: RESTName
  let taxNumber: RESTName
  /// The lines of the address, in order.
  let lines: [RESTName]
  let city: RESTName
  let postalCode: RESTName
  let region: RESTName
  let country: RESTName

  /// All names; each of these fields is a text.
  var all: [RESTName] {
    [id, name, email, taxNumber] + lines + [city, postalCode, region, country]
  }
}
