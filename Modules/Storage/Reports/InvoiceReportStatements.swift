import GRDB
import Models

/// The statements of a report, which add up in SQL what is too much to read.
struct InvoiceReportStatements {
  typealias Statement = (sql: String, arguments: StatementArguments)

  let query: InvoiceReportQuery
  /// The rows of unpaid invoices, account by account.
  ///
  /// Without the index's name, SQLite, which has no statistics, uses any index of accounts.
  private let unpaidRows: String

  init(_ query: InvoiceReportQuery, _ db: Database) throws {
    self.query = query
    let name = InvoiceQuery.dueDateIndex
    // A first sync stores without the index, and SQLite finds no way to use one for no account.
    let isMissing =
      try query.accounts?.isEmpty ?? false
      || RecordIndexes(db: db).missing().contains { $0.name == name }
    unpaidRows =
      "account CROSS JOIN invoice \(isMissing ? "" : "INDEXED BY \(name) ")"
      + "ON invoice.account = account.row"
  }

  /// The sums by month of issue.
  var months: Statement {
    let filter = filter(Self.isCounted)
    return (
      """
      SELECT account.name AS account_name, currency, \(Self.side) AS side, substr(issue_date, 1, 7) AS month,
        count(*) AS count, decimal_sum(\(Schema.signed("total"))) AS invoiced,
        decimal_sum(\(Schema.signed(Self.paid))) AS paid,
        decimal_sum(\(Self.credited)) AS credited
      FROM account CROSS JOIN invoice ON +invoice.account = account.row WHERE \(filter.sql)
      GROUP BY account.row, currency, side, month
      ORDER BY account.row, currency, side, month IS NULL, month
      """, filter.arguments
    )
  }

  /// The sums of payments by their month, of lists and of invoices that hold them themselves.
  var payments: Statement {
    var filter = accountFilter("account.name")
    for (bound, day) in [(">=", query.issuedFrom), ("<=", query.issuedThrough)] {
      guard let day else { continue }
      filter.sql += " AND payment.date \(bound) ?"
      filter.arguments += [day.description]
    }
    let statuses = PaymentStatus.allCases.filter(\.counts).map { "'\($0.rawValue)'" }
    return (
      """
      SELECT account.name AS account_name, currency, (type IN ('payment', 'supplier-refund')) AS side,
        substr(date, 1, 7) AS month, count(*) AS count,
        decimal_sum(iif(type IN ('refund', 'supplier-refund'), '-' || amount, amount)) AS paid
      FROM account CROSS JOIN every_payment AS payment ON payment.account = account.row
      WHERE payment.deleted_at IS NULL AND status IN (\(statuses.joined(separator: ", ")))
        AND \(filter.sql)
      GROUP BY account.row, currency, side, month
      ORDER BY account.row, currency, side, month IS NULL, month
      """, filter.arguments
    )
  }

  /// The sums of what is due, by age.
  var ageing: Statement {
    let filter = filter(Self.isUnpaid)
    let age = DueAge.expression(on: query.day, of: "due_date")
    return (
      """
      SELECT account.name AS account_name, currency, \(Self.side) AS side, \(age.sql) AS age,
        count(*) AS count, decimal_sum(\(Schema.signed(Schema.amountDue))) AS due
      FROM \(unpaidRows) WHERE \(filter.sql)
      GROUP BY account.row, currency, side, age ORDER BY account.row, currency, side, age
      """, age.arguments + filter.arguments
    )
  }

  /// The sums of money on account, by age.
  var onAccount: Statement {
    var money = MoneyOnAccount.payments
    money.accounts = query.accounts
    (money.from, money.through) = (query.issuedFrom, query.issuedThrough)
    let filter = money.filter
    let age = DueAge.expression(on: query.day, of: "payment.date")
    return (
      """
      SELECT account.name AS account_name, payment.currency AS currency,
        \(MoneyOnAccount.side("payment")) AS side, \(age.sql) AS age,
        decimal_sum(\(MoneyOnAccount.due)) AS due
      FROM \(MoneyOnAccount.source) \(filter.sql)
      GROUP BY account.row, payment.currency, side, age
      ORDER BY account.row, payment.currency, side, age
      """, age.arguments + filter.arguments
    )
  }

  /// The contacts with the largest sums, with the number of all contacts of each section.
  ///
  /// They are ranked by the nearest double; the sums themselves are exact.
  var contacts: Statement {
    let filter = filter(Self.isCounted)
    return (
      """
      WITH party AS (
        SELECT currency, \(Self.side) AS side, account, contact_id,
          max(contact_name) AS name, count(*) AS count,
          decimal_sum(\(Schema.signed("total"))) AS invoiced
        FROM account CROSS JOIN invoice ON +invoice.account = account.row WHERE \(filter.sql)
        GROUP BY currency, side, account, contact_id, iif(contact_id IS NULL, contact_name, NULL)),
      ranked AS (
        SELECT *, row_number() OVER (PARTITION BY account, currency, side
            ORDER BY CAST(invoiced AS REAL) DESC, name, contact_id) AS place,
          count(*) OVER (PARTITION BY account, currency, side) AS parties
        FROM party)
      SELECT ranked.*, account.name AS account_name,
        coalesce(ranked.name, contact.name) AS known_name
      FROM ranked JOIN account ON account.row = ranked.account
        LEFT JOIN contact ON contact.account = ranked.account AND contact.id = ranked.contact_id
      WHERE place <= ? ORDER BY ranked.account, currency, side, place
      """, filter.arguments + [query.contactLimit]
    )
  }

  /// The unpaid invoices that are due first.
  var unpaid: Statement {
    let filter = filter(Self.isUnpaid)
    return (
      """
      WITH ranked AS (
        SELECT invoice.row AS found, \(Self.side) AS side, \(Schema.signed(Schema.amountDue)) AS due,
          row_number() OVER (PARTITION BY invoice.account, currency, \(Self.side)
            ORDER BY due_date IS NULL, due_date, invoice.row) AS place
        FROM \(unpaidRows) WHERE \(filter.sql))
      SELECT invoice.id, number, type, currency, side, issue_date, due_date,
        account.name AS account_name, coalesce(contact_name, contact.name) AS party, contact_id,
        \(Schema.signed("total")) AS total, ranked.due
      FROM ranked JOIN invoice ON invoice.row = ranked.found
        JOIN account ON account.row = invoice.account
        LEFT JOIN contact ON contact.account = invoice.account AND contact.id = contact_id
      WHERE place <= ? ORDER BY invoice.account, currency, side, place
      """, filter.arguments + [query.unpaidLimit]
    )
  }

  /// The numbers of invoices that the report leaves out, by status.
  var omitted: Statement {
    let filter = filter("NOT (\(Self.isCounted))")
    return (
      """
      SELECT iif(deleted_at IS NULL, status, 'deleted') AS reason, count(*) AS count
      FROM account CROSS JOIN invoice ON +invoice.account = account.row
      WHERE \(filter.sql) GROUP BY reason
      """, filter.arguments
    )
  }

  /// The accounts that the report covers.
  var accounts: Statement {
    let filter = accountFilter("name")
    return ("SELECT name FROM account WHERE \(filter.sql) ORDER BY name", filter.arguments)
  }

  /// The end of the latest sync of invoices.
  var syncedAt: Statement {
    let filter = accountFilter("account_name")
    return (
      """
      SELECT ended_at FROM run
      WHERE resource = ? AND result IN ('complete', 'partial') AND \(filter.sql)
      ORDER BY ended_at DESC LIMIT 1
      """, [Resource.invoices.rawValue] + filter.arguments
    )
  }

  /// Returns the conditions of account and days, with another one.
  private func filter(_ condition: String) -> Statement {
    var filter = accountFilter("account.name")
    filter.sql += " AND " + condition
    if let day = query.issuedFrom {
      filter.sql += " AND issue_date >= ?"
      filter.arguments += [day.description]
    }
    if let day = query.issuedThrough {
      filter.sql += " AND issue_date <= ?"
      filter.arguments += [day.description]
    }
    return filter
  }

  private func accountFilter(_ column: String) -> Statement {
    guard let accounts = query.accounts else { return ("TRUE", []) }
    let values = accounts.map { _ in "?" }.joined(separator: ", ")
    return ("\(column) IN (\(values))", StatementArguments(accounts))
  }

  private static let isCounted: String = {
    let others = InvoiceQuery.unissued.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return "deleted_at IS NULL AND status NOT IN (\(others))"
  }()
  private static let isUnpaid = "\(Schema.isUnpaid) AND deleted_at IS NULL"
  private static let side = MoneyOnAccount.side("invoice")
  private static let paid = """
    coalesce(\(Schema.shown("amount_paid")), iif(status = 'paid', total, NULL))
    """
  /// The part of ``paid`` that credits have settled, if the provider does not state what was paid.
  private static let credited = """
    CASE WHEN amount_paid IS NOT NULL OR invoice.status <> 'paid' THEN NULL
      WHEN invoice.type IN ('credit-note', 'bill-credit')
      THEN \(Schema.signed("coalesce(amount_credited, \(ownCredits))"))
      ELSE coalesce(amount_credited, \(foreignCredits)) END
    """
  /// The sum of what a credit note settles.
  private static let ownCredits = """
    (SELECT decimal_sum(part.amount) FROM credit_allocation AS part
      WHERE part.invoice = invoice.row)
    """
  /// The sum of what credit notes settle of an invoice.
  private static let foreignCredits = """
    (SELECT decimal_sum(part.amount)
      FROM credit_allocation AS part CROSS JOIN invoice AS credit ON credit.row = part.invoice
      WHERE \(Schema.identifierEnd("part.invoice_id")) = \(Schema.identifierEnd("invoice.id"))
        AND +part.invoice_id = invoice.id AND credit.account = invoice.account
        AND \(Schema.settles("credit")))
    """
}
