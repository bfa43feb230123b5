import Foundation
import GRDB
import GRDBSQLite
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

/// The SQL function `decimal_sum(amount)`.
///
/// It reads each amount where SQLite has it: GRDB's aggregates make two objects of every value,
/// which takes several times as long as to add it.
enum DecimalSumFunction {
  /// The sum of a group, at an address that SQLite keeps for the function.
  private typealias Slot = UnsafeMutablePointer<DecimalSum>?

  static func install(in db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, "decimal_sum", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, nil,
      { context, _, values in DecimalSumFunction.add(values?.pointee, context) },
      { context in DecimalSumFunction.finish(context) }, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func add(_ value: OpaquePointer?, _ context: OpaquePointer?) {
    guard sqlite3_value_type(value) != SQLITE_NULL else { return }
    guard let slot = slot(context, isCreated: true) else {
      return sqlite3_result_error_nomem(context)
    }
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value),
      let amount = ExactDecimal(
        utf8: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))).span)
    else {
      sqlite3_result_error(context, "not a decimal", -1)
      return sqlite3_result_error_code(context, SQLITE_MISMATCH)
    }
    // Every amount that can be stored can be summed.
    if slot.pointee == nil {
      slot.pointee = .allocate(capacity: 1)
      slot.pointee?.initialize(to: .zero)
    }
    slot.pointee?.pointee.add(amount)
  }

  private static func finish(_ context: OpaquePointer?) {
    let sum = slot(context, isCreated: false)?.pointee
    let text = (sum?.pointee ?? .zero).description
    sum?.deinitialize(count: 1)
    sum?.deallocate()
    let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_result_text(context, text, -1, isCopied)
  }

  /// Returns the memory of a group, which is zero at first; `nil` if there is none.
  private static func slot(
    _ context: OpaquePointer?, isCreated: Bool
  ) -> UnsafeMutablePointer<Slot>? {
    let size = isCreated ? Int32(MemoryLayout<Slot>.size) : 0
    return sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: Slot.self)
  }
}
