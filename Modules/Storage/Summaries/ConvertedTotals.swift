import GRDB
public import Models

/// Sums in one currency, and the invoices that they leave out.
///
/// Each invoice is converted by what its provider states: by its home amounts, or else by its rate.
/// A product is exact, and a quotient has 20 decimals. Only the sums are rounded, to the decimals
/// of the currency, half away from zero; the net sum is what is left of the total without the tax.
public struct ConvertedTotals<Totals: Sendable & Equatable>: Sendable, Equatable {
  /// The currency of all sums.
  public let currency: Currency
  /// The sums.
  public let totals: [Totals]
  /// The invoices that state no rate to the currency, and that no sum contains.
  public let withoutRate: [UnconvertedInvoices]

  /// Returns the sums of no invoices.
  package static func empty(in currency: Currency) -> ConvertedTotals {
    ConvertedTotals(currency: currency, totals: [], withoutRate: [])
  }
}

/// The number of invoices of an account, currency and type that state no rate to another currency.
public struct UnconvertedInvoices: Sendable, Hashable {
  /// The account.
  public let account: String
  /// The currency of the invoices.
  public let currency: Currency
  /// The type of the invoices.
  public let type: InvoiceType
  /// The number of invoices.
  public internal(set) var count: Int
}

extension UnconvertedInvoices: Comparable {
  /// Orders by account, currency and type.
  public static func < (left: UnconvertedInvoices, right: UnconvertedInvoices) -> Bool {
    (left.account, left.currency.code, left.type.rawValue)
      < (right.account, right.currency.code, right.type.rawValue)
  }
}

extension LocalDatabase {
  /// Returns sums as ``totals(matching:by:)`` does, all of them in one currency.
  ///
  /// - Throws: ``StorageError``.
  public func totals(
    matching query: InvoiceQuery, by grouping: InvoiceGrouping, in currency: Currency
  ) async throws -> ConvertedTotals<GroupTotals> {
    try await read(matching: query) { db, query in
      let conversion = try SumConversion(to: currency, db)
      let found = try Self.totals(matching: query, by: grouping, db, conversion)
      return ConvertedTotals(
        currency: currency, totals: found.totals, withoutRate: found.withoutRate)
    }
  }

  /// Returns sums as ``taxTotals(matching:)`` does, all of them in one currency.
  ///
  /// - Throws: ``StorageError``.
  public func taxTotals(
    matching query: InvoiceQuery, in currency: Currency
  ) async throws -> ConvertedTotals<TaxTotals> {
    try await read(matching: query) { db, query in
      let conversion = try SumConversion(to: currency, db)
      let found = try Self.taxTotals(matching: query, db, conversion)
      return ConvertedTotals(
        currency: currency, totals: found.totals, withoutRate: found.withoutRate)
    }
  }
}

/// The conversion of invoices whose amounts are summed.
struct SumConversion: Sendable {
  let currency: Currency
  /// The home currencies of accounts whose invoices do not name it.
  private let homes: [String: Currency]

  /// The columns that ``conversion(of:in:_:account:)`` needs.
  static let columns = FieldDescription.columns(of: HomeAmounts.self)
    .map { "invoice.home_\($0)" }.joined(separator: ", ")

  /// Reads the home currencies that the stored invoices prove.
  ///
  /// Some providers state a rate but not the home currency. Invoices in the home currency have the
  /// rate 1, or home amounts that are their own. So it is the currency of which all invoices do; it
  /// stays unknown if there are several.
  init(to currency: Currency, _ db: Database) throws {
    self.currency = currency
    let rate = "coalesce(home_exchange_rate, home_inverse_exchange_rate)"
    let isHome = """
      CASE WHEN \(rate) IS NULL THEN home_total COLLATE decimal = total
        ELSE \(rate) COLLATE decimal = '1' END
      """
    var found: [String: [Currency]] = [:]
    try db.forEachRow(
      sql: """
        SELECT account.name, invoice.currency
        FROM invoice JOIN account ON account.row = invoice.account
        WHERE home_currency IS NULL AND coalesce(\(rate), home_total) IS NOT NULL
        GROUP BY account.name, invoice.currency HAVING min(\(isHome)) = 1
        """, arguments: []
    ) { row in
      let account = try StoredValue.required(row.text())
      found[account, default: []].append(
        try StoredValue.required(row.text().flatMap(Currency.init(code:))))
    }
    homes = found.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// Returns the conversion of an invoice; `nil` if it states no rate.
  func conversion(
    of total: ExactDecimal, in currency: Currency, _ stated: HomeAmounts, account: String
  ) -> CurrencyConversion? {
    CurrencyConversion(
      of: total, in: currency, stated, to: self.currency, home: homes[account])
  }

  /// Returns a sum with the decimals of the currency.
  func rounded(_ sum: DecimalSum) -> DecimalSum { sum.rounded(toScale: currency.minorUnitDigits) }
}
