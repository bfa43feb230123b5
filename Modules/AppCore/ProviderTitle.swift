extension CoreConfiguration {
  /// Returns the name of a provider as its vendor writes it, such as `QuickBooks` for
  /// `quickbooks`; any other name as it is.
  public static func title(ofProvider name: String) -> String {
    switch name {
    case "xero": "Xero"
    case "quickbooks": "QuickBooks"
    case "stripe": "Stripe"
    case "square": "Square"
    case "moneybird": "Moneybird"
    default: name
    }
  }
}
