import Foundation
import GRDB
import Models

/// Exact arithmetic on amounts inside SQL.
///
/// The names are those of the `decimal` extension that the `sqlite3` shell has built in, so that
/// the same statements work there.
enum DecimalFunctions {
  static func install(in db: Database) {
    db.add(
      function: DatabaseFunction("decimal_sum", argumentCount: 1, pure: true, aggregate: Sum.self))
    db.add(
      collation: DatabaseCollation("decimal") { left, right in
        // A text that is no number sorts before all numbers, so that the order stays total.
        switch (ExactDecimal(left), ExactDecimal(right)) {
        case (let left?, let right?):
          left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        case (nil, nil):
          left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        case (nil, _): .orderedAscending
        case (_, nil): .orderedDescending
        }
      })
  }

  private struct Sum: DatabaseAggregate {
    // Every amount that can be stored can be summed.
    private var sum = DecimalSum.zero

    mutating func step(_ values: [DatabaseValue]) throws {
      guard let value = values.first, !value.isNull else { return }
      guard let text = String.fromDatabaseValue(value), let amount = ExactDecimal(text) else {
        throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "not a decimal")
      }
      sum.add(amount)
    }

    func finalize() throws -> (any DatabaseValueConvertible)? { sum.description }
  }
}
