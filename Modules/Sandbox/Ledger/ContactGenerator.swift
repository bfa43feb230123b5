/// The other parties of generated invoices.
enum ContactGenerator {
  static func contacts(seed: UInt64) -> [LedgerContact] {
    var random = SplitMix64(seed: seed ^ 0x636F_6E74_6163_7473)
    return TradeCatalog.companies.flatMap { company in
      TradeCatalog.trades.map { trade in
        let mailbox = "accounts@\(trade.lowercased())\(random.below(1_000)).example"
        return LedgerContact(
          id: random.identifier(),
          name: "\(company) \(trade)",
          // Some parties have a name only.
          emailAddress: random.chance(75) ? mailbox : nil)
      }
    }
  }
}
