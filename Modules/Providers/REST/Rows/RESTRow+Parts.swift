import Models
import Sync

extension RESTRow {
  /// A party, as far as the row says anything of it.
  func party(_ names: RESTPartyFields) throws(RESTRowError) -> Party {
    Party(
      id: try text(names.id), name: try text(names.name), email: try text(names.email),
      taxNumber: try text(names.taxNumber), address: try address(names))
  }

  /// What is taken off the whole, or added to it.
  func allowancesOrCharges(
    _ name: String, areCharges: Bool, in currency: Currency
  ) throws(RESTRowError) -> [AllowanceCharge] {
    try list(name) { row throws(RESTRowError) in
      AllowanceCharge(
        id: try row.text("id"), isCharge: areCharges,
        amount: try row.required("amount", row.money("amount", in: currency)),
        reason: try row.text("reason"))
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
