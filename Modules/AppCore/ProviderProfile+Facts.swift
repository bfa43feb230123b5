extension ProviderProfile {
  /// The facts about a built-in provider that its code does not state.
  struct Facts {
    let records: String
    let reads: String
    let signIn: String
    var tokenName = "access token"
    var hasClientSecret: Bool?
  }

  private static let changes = "what changed; everything if the last sync is over 29 days old"

  /// The rows of the README's table of providers, by name.
  static let facts = [
    "xero": Facts(
      records: "invoices, bills, contacts", reads: "what changed", signIn: "browser",
      hasClientSecret: false),
    "quickbooks": Facts(
      records: "invoices, credit memos, bills, vendor credits", reads: changes,
      signIn: "access token; browser sign-in works only with development keys",
      hasClientSecret: true),
    "stripe": Facts(records: "invoices", reads: changes, signIn: "API key", tokenName: "API key"),
    "square": Facts(
      records: "invoices with the lines of their orders", reads: "everything",
      signIn: "access token"),
    "moneybird": Facts(
      records: "sales invoices",
      reads: "the id and version of every invoice, then each invoice that changed",
      signIn: "browser", hasClientSecret: true),
  ]
}
