/// An organisation whose invoices the sandbox serves.
struct Tenant: Sendable {
  let id: String
  let name: String
  let connectionID: String
  let authEventID: String
  let ledger: InvoiceLedger

  /// Creates the tenant with a number; its identifiers are the same in every sandbox.
  init(number: Int, ledger: InvoiceLedger) {
    var random = SplitMix64(seed: 0x7465_6E61_6E74, index: number)
    id = random.identifier()
    connectionID = random.identifier()
    authEventID = random.identifier()
    name = number == 0 ? "Sandbox Company" : "Sandbox Company \(number + 1)"
    self.ledger = ledger
  }
}
