import Foundation
import GRDB
import Models

/// Exact arithmetic on amounts inside SQL.
///
/// The names are those of the `decimal` extension that the `sqlite3` shell has built in, so that
/// the same statements work there.
enum DecimalFunctions {
  static func install(in db: Database) throws {
    try DecimalSumFunction.install(in: db)
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
}
