package import Models
package import Storage

/// A kind of record that a test's server lists.
package protocol ListedRecord: SyncedRecord, FieldListing, Hashable {
  /// The store of one of its lists.
  static func store(of resource: Resource, in database: LocalDatabase) -> ResourceStore<Self>
  /// Returns the stored records of an account that are not deleted.
  static func live(of account: String, in database: LocalDatabase) async throws -> [Self]
  /// Returns the number of stored records of an account, deleted or not.
  static func count(of account: String, in database: LocalDatabase) async throws -> Int

  /// The amounts of the record and of its parts, which tell its versions apart in a report.
  var amounts: [ExactDecimal?] { get }
}

extension Invoice: ListedRecord {
  package static func store(
    of resource: Resource, in database: LocalDatabase
  ) -> ResourceStore<Invoice> { database.invoiceStore(of: resource) }

  package static func live(
    of account: String, in database: LocalDatabase
  ) async throws -> [Invoice] {
    var query = InvoiceQuery()
    query.account = account
    return try await database.invoices(matching: query).map(\.invoice)
  }

  package static func count(of account: String, in database: LocalDatabase) async throws -> Int {
    try await database.invoiceCount(account: account)
  }

  package var amounts: [ExactDecimal?] {
    [total] + lines.map(\.lineAmount) + allocations.map(\.amount)
  }
}

extension Payment: ListedRecord {
  package static func store(
    of resource: Resource, in database: LocalDatabase
  ) -> ResourceStore<Payment> { database.paymentStore(of: resource) }

  package static func live(
    of account: String, in database: LocalDatabase
  ) async throws -> [Payment] {
    var query = PaymentQuery()
    query.account = account
    return try await database.payments(matching: query).map(\.payment)
  }

  package static func count(of account: String, in database: LocalDatabase) async throws -> Int {
    var query = PaymentQuery()
    (query.account, query.includesVoidAndDeleted) = (account, true)
    return try await database.paymentCount(matching: query)
  }

  package var amounts: [ExactDecimal?] { [amount] + allocations.map(\.amount) }
}
