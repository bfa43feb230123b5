import Models
import Sync

extension RESTRow {
  /// Returns a party with the fields that the row has.
  func party(_ names: RESTPartyFields) throws(RESTRowError) -> Party {
    Party(
      id: try text(names.id), name: try text(names.name), email: try text(names.email),
      taxNumber: try text(names.taxNumber), address: try address(names))
  }

  /// Returns the allowances or charges on the invoice as a whole.
  func allowancesOrCharges(
    _ name: String, areCharges: Bool, in currency: Currency
  ) throws(RESTRowError) -> [AllowanceCharge] {
    try list(name) { row throws(RESTRowError) in
      AllowanceCharge(
        id: try row.text(.id), isCharge: areCharges,
        amount: try row.required(.amount, row.money(.amount, in: currency)),
        reason: try row.text(.reason))
    }
  }

  private func address(_ names: RESTPartyFields) throws(RESTRowError) -> PostalAddress? {
    var address = PostalAddress(
      city: try text(names.city), postalCode: try text(names.postalCode),
      region: try text(names.region), country: try text(names.country))
    for line in names.lines {
      guard let text = try text(line) else { continue }
      address.lines += text.split(whereSeparator: \.isNewline).map(String.init)
    }
    return address == PostalAddress() ? nil : address
  }
}
