import GRDB
import Synchronization

/// The state of the database that a connection sees.
///
/// Two equal values stand for the same content.
struct DatabaseVersion: Equatable {
  /// The connection: the numbers of two connections cannot be compared.
  let connection: Int
  private let othersCommits: Int
  private let ownChanges: Int

  /// Reads the state, inside a transaction.
  init(_ db: Database) throws {
    connection = try Self.number(db.cachedStatement(sql: "SELECT \(Self.function)()"))
    // It changes whenever another connection commits (https://sqlite.org/pragma.html).
    othersCommits = try Self.number(db.cachedStatement(sql: "PRAGMA data_version"))
    ownChanges = db.totalChangesCount
  }

  /// Adds the function that returns the number of a connection, which no other one has.
  static func install(in db: Database) {
    let number = newest.add(1, ordering: .relaxed).newValue
    db.add(
      function: DatabaseFunction(function, argumentCount: 0, pure: true) { _ in number })
  }

  private static let function = "connection_number"
  private static let newest = Atomic(0)

  private static func number(_ statement: Statement) throws -> Int {
    try Int.fetchOne(statement) ?? 0
  }
}
