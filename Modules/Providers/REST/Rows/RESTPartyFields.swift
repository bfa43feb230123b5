import Sync

/// The field names of a party, made once instead of for each row.
struct RESTPartyFields: Sendable {
  /// The other party of an invoice.
  static let contact = RESTPartyFields("contact")
  /// The party whose invoices are listed.
  static let ownParty = RESTPartyFields("ownParty")

  let id: String
  let name: String
  let email: String
  let taxNumber: String
  /// The lines of the address, in order.
  let lines: [String]
  let city: String
  let postalCode: String
  let region: String
  let country: String

  /// All names; each of these fields is a text.
  var all: [String] {
    [id, name, email, taxNumber] + lines + [city, postalCode, region, country]
  }

  private init(_ party: String) {
    id = party + ".id"
    name = party + ".name"
    email = party + ".email"
    taxNumber = party + ".taxNumber"
    lines = (1...3).map { "\(party).address.line\($0)" }
    city = party + ".address.city"
    postalCode = party + ".address.postalCode"
    region = party + ".address.region"
    country = party + ".address.country"
  }
}
