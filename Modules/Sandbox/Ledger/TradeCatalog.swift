/// The words and rates from which invoices are generated.
enum TradeCatalog {
  /// Currencies with their rate to the tenant's own, in millionths; common ones occur more often.
  static let currencies: [(code: String, rate: Int)] = [
    ("USD", 1_000_000), ("USD", 1_000_000), ("USD", 1_000_000), ("USD", 1_000_000),
    ("EUR", 915_000), ("EUR", 915_000), ("GBP", 785_000), ("CAD", 1_350_000),
    ("JPY", 148_200_000), ("TND", 3_110_000),
  ]

  static let products: [(code: String, text: String, account: String)] = [
    ("DEV", "Software development, senior", "200"),
    ("CONS", "Consulting, per hour", "200"),
    ("HOST", "Hosting of application and database", "485"),
    ("SUP", "Support plan \"Gold\", monthly", "220"),
    ("TRAIN", "Workshop: data engineering", "230"),
    ("PAPER", "Paper, A4, 80 g/m²", "461"),
    ("TRAVEL", "Train Zürich–Genève", "493"),
    ("CLOUD", "Object storage, per GB", "485"),
  ]

  static let companies = [
    "Aldergate", "Bräuhof", "Cormorant", "Delft & Daughters", "Elmswood", "Fjordlys", "Garnet Hill",
    "Hibiscus", "Ironbark", "Juniper Row",
  ]

  static let trades = [
    "Logistics", "Textiles", "Analytics", "Bakery", "Printing", "Legal", "Energy",
  ]
}
