import Models

extension RESTRow {
  /// A party, as far as the row says anything of it.
  func party(_ name: String) throws(RESTRowError) -> Party {
    Party(
      id: try text(name + ".id"), name: try text(name + ".name"), email: try text(name + ".email"),
      taxNumber: try text(name + ".taxNumber"), address: try address(name + ".address"))
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

  private func address(_ name: String) throws(RESTRowError) -> PostalAddress? {
    var address = PostalAddress(
      city: try text(name + ".city"), postalCode: try text(name + ".postalCode"),
      region: try text(name + ".region"), country: try text(name + ".country"))
    for line in ["line1", "line2", "line3"] {
      guard let text = try text("\(name).\(line)") else { continue }
      address.lines += text.split(whereSeparator: \.isNewline).map(String.init)
    }
    return address == PostalAddress() ? nil : address
  }
}
