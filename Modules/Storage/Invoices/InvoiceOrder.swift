import GRDB

extension InvoiceQuery {
  /// The values that order the invoices, the first decides; the row breaks ties, so that two calls
  /// return the same order.
  ///
  /// An index cannot use the collation `decimal`: other programs, which lack it, would no longer be
  /// able to read the table. So amounts are ordered by the nearest double. Two that differ after
  /// the 15th digit alone may count as equal.
  var orderTerms: [OrderTerm] {
    let currency = OrderTerm("currency", isNullable: false)
    let least = OrderTerm.leastNumber
    switch sort {
    case .issueDate:
      // With words there is the order of the search index, whether or not it has all of them.
      return [OrderTerm("issue_date")]
        + (SearchExpression(search) == nil ? [OrderTerm("due_date")] : [])
    case .dueDate: return [OrderTerm("due_date")]
    case .updatedAt: return [OrderTerm("updated_at", least: least)]
    case .total:
      let total = Schema.totalNumber
      return [currency, OrderTerm("total_number", total, isNullable: false, least: least)]
    case .amountDue: return [currency, OrderTerm("due_number", Schema.dueNumber, least: least)]
    case .number: return [OrderTerm("number")]
    case .contact: return [OrderTerm("shown_contact", InvoiceReader.contactName)]
    case .stored: return []
    }
  }

  /// Returns conditions for the invoices after ``after``, those of each list for some of them, in
  /// the order of the terms.
  ///
  /// - Parameter depth: the number of terms by which they are divided. An index that has the order
  ///   finds the first row of each division.
  private func divisions(_ terms: [OrderTerm], depth: Int) -> [[RowCondition]] {
    guard let after else { return [[]] }
    guard after.isInOrder(of: self) else { return [[RowCondition(sql: "0")]] }
    let pairs = Array(zip(terms, after.values))
    var same: [RowCondition] = []
    var found: [[RowCondition]] = []
    for (term, value) in pairs.prefix(depth) {
      found += term.beyond(value, isAscending).map { same + [$0] }
      same.append(
        RowCondition(sql: "\(term.expression) IS ?", arguments: [value], value: value))
    }
    let rest = RowCondition(
      after: pairs.dropFirst(depth), row: ("invoice.row", after.row), isAscending)
    return found + [same + [rest]]
  }
}

/// A part of a query whose invoices an index has in their order, or the whole of it.
struct QueryPart {
  var query: InvoiceQuery
  var terms: [OrderTerm]
  var conditions: [RowCondition] = []
  /// The number of terms by which the invoices after a position are divided.
  var depth = 0
  /// The values of the first terms, where all invoices have the same: SQLite does not see that it
  /// need not sort by an expression that has one value.
  var known: [DatabaseValue] = []
}

extension InvoiceQuery {
  /// Returns parts that together find the same invoices.
  ///
  /// The index has the invoices of each part in the wanted order, and SQLite merges them: it reads
  /// no more rows than are wanted. The result is the query itself if another index finds its few
  /// invoices, if there are too many parts, or while a first sync stores without the index; SQLite
  /// then sorts.
  func parts(_ db: Database) throws -> [QueryPart] {
    let whole = QueryPart(query: self, terms: orderTerms)
    func divided(_ parts: [QueryPart]) -> [QueryPart]? {
      let all = parts.flatMap { part in
        divisions(part.terms, depth: part.depth).map { conditions in
          var part = part
          part.conditions += conditions
          part.known = conditions.prefix { $0.value != nil }.compactMap(\.value)
          return part
        }
      }
      return all.count > Self.mostParts ? nil : all
    }
    let plain = divided([whole]) ?? [whole]
    let ordered = isOfDueDates(sort) ? Self.dueDateIndex : sort.index
    guard !asksForWords, let ordered, sort == .issueDate || index(sort) == ordered,
      try hasIndex(ordered, db)
    else { return plain }
    let accounts = try accounts ?? String.fetchAll(db, sql: "SELECT name FROM account")
    let parts = accounts.flatMap { account in
      var part = whole
      (part.query.account, part.depth) = (account, sort == .issueDate ? 1 : part.terms.count)
      switch sort {
      case .issueDate:
        return wantedStatuses.map { status in
          part.query.statuses = [status]
          return part
        }
      case .contact: return part.byContactName
      default: return [part]
      }
    }
    return parts.isEmpty ? plain : divided(parts) ?? plain
  }

  /// The largest number of parts; SQLite combines at most 500 (https://sqlite.org/limits.html).
  private static let mostParts = 400
}

extension QueryPart {
  /// The invoices that state the contact's name, which an index has in order, and the others, which
  /// SQLite sorts.
  fileprivate var byContactName: [QueryPart] {
    var (named, nameless) = (self, self)
    named.terms = [OrderTerm("shown_contact", "invoice.contact_name", isNullable: false)]
    named.conditions = [RowCondition(sql: "invoice.contact_name IS NOT NULL")]
    nameless.conditions = [RowCondition(sql: "invoice.contact_name IS NULL")]
    nameless.depth = 0
    return [named, nameless]
  }
}
