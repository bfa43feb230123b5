package import Models

/// The difference between stored records and those of a server, in any value of any invoice.
package struct WholeDifference: CustomStringConvertible {
  private let stored: Set<Invoice>
  private let served: Set<Invoice>

  /// `nil` where they are equal.
  package init?(stored: [Invoice], served: [Invoice]) {
    self.stored = Set(stored)
    self.served = Set(served)
    guard self.stored != self.served else { return nil }
  }

  package var description: String {
    "missing or old: \(Self.text(served.subtracting(stored))), "
      + "not there: \(Self.text(stored.subtracting(served)))"
  }

  private static func text(_ invoices: Set<Invoice>) -> String {
    invoices.sorted { $0.id < $1.id }.map { invoice in
      let lines = invoice.lines.map { $0.lineAmount?.description ?? "-" }
      let order = invoice.version.map { "v\($0)" } ?? invoice.updatedAt?.description ?? "-"
      return "\(invoice.id)=\(invoice.total) [\(lines.joined(separator: " "))] \(order)"
    }.joined(separator: ", ")
  }
}
