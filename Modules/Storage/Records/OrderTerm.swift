import GRDB

/// A value by which the rows of a list are ordered.
struct OrderTerm {
  /// The name of its column in a statement.
  let name: String
  let expression: String
  var isNullable = true
  /// A value that no other one precedes, as SQL.
  var least = "''"

  /// - Parameter column: a column of the table of invoices.
  init(_ column: String, isNullable: Bool = true, least: String = "''") {
    (name, expression) = (column, "invoice.\(column)")
    (self.isNullable, self.least) = (isNullable, least)
  }

  init(_ name: String, _ expression: String, isNullable: Bool = true, least: String = "''") {
    (self.name, self.expression) = (name, expression)
    (self.isNullable, self.least) = (isNullable, least)
  }

  /// The infinity that precedes all numbers.
  static let leastNumber = "-9e999"
}

/// A condition on the rows of a statement.
struct RowCondition {
  let sql: String
  var arguments: StatementArguments = []
  /// The only value of the term that the condition is about.
  var value: DatabaseValue?
}

extension OrderTerm {
  /// Returns the conditions that the term comes after a value; `NULL` precedes all others.
  func beyond(_ value: DatabaseValue, _ isAscending: Bool) -> [RowCondition] {
    guard !value.isNull else {
      return isAscending ? [RowCondition(sql: "\(expression) >= \(least)")] : []
    }
    guard !isAscending else {
      return [RowCondition(sql: "\(expression) > ?", arguments: [value])]
    }
    return [RowCondition(sql: "\(expression) < ?", arguments: [value])]
      + (isNullable ? [RowCondition(sql: "\(expression) IS NULL", value: .null)] : [])
  }
}

extension RowCondition {
  /// Creates the condition that a row comes after another one.
  ///
  /// - Parameters:
  ///   - terms: the terms of the order, each with its value in the other row.
  ///   - row: the expression of the row that breaks ties, and the other row.
  init(
    after terms: some BidirectionalCollection<(OrderTerm, DatabaseValue)>,
    row: (expression: String, value: DatabaseValue), _ isAscending: Bool
  ) {
    self.init(
      sql: "\(row.expression) \(isAscending ? ">" : "<") ?", arguments: [row.value])
    for (term, value) in terms.reversed() {
      let others = term.beyond(value, isAscending)
      let choices = others.map(\.sql) + ["\(term.expression) IS ? AND \(sql)"]
      var arguments = StatementArguments()
      for other in others { arguments += other.arguments }
      arguments += [value]
      arguments += self.arguments
      self.init(sql: "(\(choices.joined(separator: " OR ")))", arguments: arguments)
    }
  }
}
