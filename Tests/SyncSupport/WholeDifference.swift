import Models
import Storage

/// The difference between stored records and those of a server, in any value of any record.
package struct WholeDifference<Record: ListedRecord>: CustomStringConvertible {
  private let stored: Set<Record>
  private let served: Set<Record>

  /// `nil` where they are equal.
  package init?(stored: [Record], served: [Record]) {
    self.stored = Set(stored)
    self.served = Set(served)
    guard self.stored != self.served else { return nil }
  }

  package var description: String {
    "missing or old: \(Self.text(served.subtracting(stored))), "
      + "not there: \(Self.text(stored.subtracting(served)))"
  }

  private static func text(_ records: Set<Record>) -> String {
    records.sorted { $0.id < $1.id }.map { record in
      let amounts = record.amounts.map { $0?.description ?? "-" }
      let order = record.order.map { " v\($0)" } ?? ""
      return "\(record.id)=[\(amounts.joined(separator: " "))]\(order)"
    }.joined(separator: ", ")
  }
}
