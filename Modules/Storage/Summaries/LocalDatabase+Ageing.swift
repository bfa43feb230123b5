import GRDB
public import Models

extension LocalDatabase {
  /// Returns the amounts due by account, currency, type and age, of the open and partially paid
  /// invoices that a query finds, and the money on account, which is below zero.
  ///
  /// Money on account has an age by its own day. It is left out if the query asks for what no money
  /// has: types, statuses, words, totals, or a change. The query's order and limit are ignored.
  ///
  /// - Parameters:
  ///   - query: selects the invoices.
  ///   - day: the day from which ages are counted, usually today.
  /// - Throws: ``StorageError``.
  public func ageing(
    matching query: InvoiceQuery, on day: CalendarDate
  ) async throws -> [AgeingTotals] {
    try await read(matching: query) { db, query in
      var found: [AgeingTotals] = []
      for statement in try query.ageingStatements(on: day, db) {
        try db.forEachRow(sql: statement.sql, arguments: statement.arguments) { row in
          let account = try StoredValue.required(row.text())
          let currency = try StoredValue.required(row.text().flatMap(Currency.init(code:)))
          let kind = try StoredValue.required(row.text().flatMap(AgeingKind.init(rawValue:)))
          let next = AgeingTotals(account: account, currency: currency, kind: kind)
          if found.last.map({ !next.continues($0) }) ?? true { found.append(next) }
          try found[found.count - 1].buckets.add(&row)
        }
      }
      return found.sorted { $0.order < $1.order }
    }
  }

  /// Returns the amounts due as ``ageing(matching:on:)`` does, by account, currency, side and
  /// contact: what its invoices come to, less its credits and its money on account.
  ///
  /// Of each account, currency and side, the contact with the largest sum comes first.
  ///
  /// - Throws: ``StorageError``.
  public func contactAgeing(
    matching query: InvoiceQuery, on day: CalendarDate
  ) async throws -> [ContactAgeing] {
    try await read(matching: query) { db, query in
      var found: [ContactAgeing.Key: ContactAgeing] = [:]
      for statement in try query.ageingStatements(on: day, byContact: true, db) {
        try db.forEachRow(sql: statement.sql, arguments: statement.arguments) { row in
          let account = try StoredValue.required(row.text())
          let currency = try StoredValue.required(row.text().flatMap(Currency.init(code:)))
          let side = try StoredValue.required(
            row.integer().flatMap { InvoiceReportSide(rawValue: Int($0)) })
          let (id, name) = (row.text(), row.text())
          let key = ContactAgeing.Key(
            account: account, currency: currency, side: side, id: id, name: id == nil ? name : nil)
          var totals =
            found[key]
            ?? ContactAgeing(account: account, currency: currency, side: side, contactID: id)
          // A contact may be named differently on each document.
          totals.contactName = [totals.contactName, name].compactMap(\.self).max()
          try totals.buckets.add(&row)
          found[key] = totals
        }
      }
      return found.values.sorted { $0.isBefore($1) }
    }
  }
}

/// The amounts due of one kind, by the days since they were due.
public struct AgeingTotals: Sendable, Equatable {
  /// The account, whose invoices are never added to those of another one.
  public let account: String
  /// The shared currency.
  public let currency: Currency
  /// The shared kind.
  public let kind: AgeingKind
  /// A bucket for each age, in the order of their declaration.
  public internal(set) var buckets = AgeingBucket.empty

  /// The number of documents of every age.
  public var count: Int { buckets.map(\.count).reduce(0, +) }

  /// The sum of the amounts due of every age.
  public var amountDue: DecimalSum { buckets.amountDue }

  fileprivate init(account: String, currency: Currency, kind: AgeingKind) {
    (self.account, self.currency, self.kind) = (account, currency, kind)
  }

  fileprivate func continues(_ other: AgeingTotals) -> Bool {
    account == other.account && currency == other.currency && kind == other.kind
  }

  fileprivate var order: (String, String, Int, String) {
    (account, currency.code, kind.isOnAccount ? 1 : 0, kind.rawValue)
  }
}

/// The kind of what is due: invoices of one type, or payments on account of one direction.
public enum AgeingKind: RawRepresentable, Sendable, Hashable {
  /// Unpaid invoices of a type.
  case documents(InvoiceType)
  /// The parts of payments that pay no document yet.
  case onAccount(PaymentType)

  /// Creates the kind of a type's word; no type of invoice is one of payment.
  public init?(rawValue: String) {
    if let type = InvoiceType(rawValue: rawValue) {
      self = .documents(type)
    } else if let type = PaymentType(rawValue: rawValue) {
      self = .onAccount(type)
    } else {
      return nil
    }
  }

  /// The word of the type, such as `credit-note` or `receipt`.
  public var rawValue: String {
    switch self {
    case .documents(let type): type.rawValue
    case .onAccount(let type): type.rawValue
    }
  }

  /// True for money on account.
  public var isOnAccount: Bool { if case .onAccount = self { true } else { false } }
}

/// The amounts due of a contact in one currency and on one side, by the days since they were due.
public struct ContactAgeing: Sendable, Equatable {
  fileprivate struct Key: Hashable {
    let account: String
    let currency: Currency
    let side: InvoiceReportSide
    let id: String?
    let name: String?
  }

  /// The account.
  public let account: String
  /// The currency.
  public let currency: Currency
  /// The side: what the contact has to pay, or what the user has to pay.
  public let side: InvoiceReportSide
  /// The identifier at the provider.
  public let contactID: String?
  /// The name.
  public fileprivate(set) var contactName: String?
  /// A bucket for each age, in the order of their declaration.
  public internal(set) var buckets = AgeingBucket.empty

  /// The number of documents of every age.
  public var count: Int { buckets.map(\.count).reduce(0, +) }

  /// The sum of the amounts due of every age.
  public var amountDue: DecimalSum { buckets.amountDue }

  fileprivate init(account: String, currency: Currency, side: InvoiceReportSide, contactID: String?)
  {
    (self.account, self.currency, self.side) = (account, currency, side)
    self.contactID = contactID
  }

  fileprivate func isBefore(_ other: ContactAgeing) -> Bool {
    let group = (account, currency.code, side.rawValue)
    let others = (other.account, other.currency.code, other.side.rawValue)
    guard group == others else { return group < others }
    guard amountDue == other.amountDue else { return other.amountDue < amountDue }
    return (contactName ?? "", contactID ?? "") < (other.contactName ?? "", other.contactID ?? "")
  }
}

/// The number of documents of an age, and the sum of their amounts due.
public struct AgeingBucket: Sendable, Equatable {
  /// The age.
  public let age: DueAge
  /// The number of invoices, or of payments on account.
  public internal(set) var count = 0
  /// The sum of the amounts due; money on account is below zero.
  ///
  /// An open invoice counts with its total if the provider does not state what is due.
  public internal(set) var amountDue = DecimalSum.zero

  static let empty = DueAge.allCases.map { AgeingBucket(age: $0) }
}

extension [AgeingBucket] {
  fileprivate var amountDue: DecimalSum {
    reduce(into: DecimalSum.zero) { $0.add($1.amountDue) }
  }

  /// Adds the age, the number and the sum of a row.
  fileprivate mutating func add(_ row: inout RowValues) throws {
    let age = try StoredValue.required(row.integer().flatMap { DueAge.at(Int($0)) })
    let count = try StoredValue.required(row.integer())
    let due = try StoredValue.required(row.text().flatMap { DecimalSum($0) })
    guard let index = firstIndex(where: { $0.age == age }) else { return }
    self[index].count += Int(count)
    self[index].amountDue.add(due)
  }
}

extension InvoiceQuery {
  typealias Statement = (sql: String, arguments: StatementArguments)

  /// Returns the statements for amounts due by currency, type or contact, and age: one for
  /// invoices, and one for money on account unless the query leaves it out.
  ///
  /// An age is the index of its bucket.
  func ageingStatements(
    on day: CalendarDate, byContact: Bool = false, _ db: Database
  ) throws -> [Statement] {
    var unpaid = self
    unpaid.keepUnpaid()
    let filter = try InvoiceFilter(unpaid, sort: .dueDate, db)
    let documents = Self.ageingStatement(
      "invoice", byContact ? Schema.signed(Schema.amountDue) : Schema.amountDue, byContact,
      contact: InvoiceReader.contactName, DueAge.expression(on: day, of: "due_date"),
      "FROM \(filter.source)\(filter.condition)", filter.arguments)
    guard let money = moneyOnAccount else { return [documents] }
    let onAccount = Self.ageingStatement(
      "payment", MoneyOnAccount.due, byContact, contact: PaymentReader.contactName,
      DueAge.expression(on: day, of: "payment.date"),
      "FROM \(MoneyOnAccount.source) \(money.filter.sql)", money.filter.arguments)
    return [documents, onAccount]
  }

  private static func ageingStatement(
    _ table: String, _ due: String, _ byContact: Bool, contact: String, _ age: Statement,
    _ source: String, _ arguments: StatementArguments
  ) -> Statement {
    let side = MoneyOnAccount.side(table)
    let group = byContact ? "\(side) AS side" : "\(table).type"
    let party =
      byContact ? ", \(table).contact_id AS party, max(\(contact)) AS party_name" : ""
    let keys =
      byContact
      ? "side, party, iif(party IS NULL, \(table).contact_name, NULL)" : "\(table).type"
    let sql = """
      SELECT account.name AS account, \(table).currency AS currency, \(group)\(party),
        \(age.sql) AS age, count(*) AS count, decimal_sum(\(due)) AS due
      \(source)
      GROUP BY account.row, \(table).currency, \(keys), age
      ORDER BY account.name, \(table).currency, \(keys), age
      """
    return (sql, age.arguments + arguments)
  }
}
