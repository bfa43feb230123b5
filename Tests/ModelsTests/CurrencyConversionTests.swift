import Models
import Testing

/// An invoice is converted by what it states, and by nothing else.
@Suite(.timeLimit(.minutes(10))) struct CurrencyConversionTests {
  private let eur = Currency(code: "EUR")
  private let usd = Currency(code: "USD")

  private func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  private func conversion(
    _ home: HomeAmounts, total: String = "100", to target: Currency?, known: Currency? = nil
  ) throws -> CurrencyConversion? {
    CurrencyConversion(
      of: try decimal(total), in: try #require(usd), home, to: try #require(target), home: known)
  }

  private func home(
    _ currency: Currency?, rate: String? = nil, inverse: String? = nil, total: String? = nil
  ) throws -> HomeAmounts {
    var home = HomeAmounts()
    home.currency = currency
    home.exchangeRate = try rate.map(decimal)
    home.inverseExchangeRate = try inverse.map(decimal)
    home.total = try total.map(decimal)
    return home
  }

  @Test("a rate multiplies, an inverse rate divides, and two totals make a rate")
  func rates() throws {
    let rate = try #require(try conversion(home(eur, rate: "0.915"), to: eur))
    #expect(rate.total(try decimal("100"))?.description == "91.500")
    let inverse = try #require(try conversion(home(eur, inverse: "1.25"), to: eur))
    #expect(inverse.total(try decimal("100"))?.description == "80")
    let ratio = try #require(try conversion(home(eur, total: "91.51"), to: eur))
    #expect(ratio.tax(try decimal("20")) == ExactDecimal("18.302"))
  }

  @Test("what the provider states in the home currency counts before its rate")
  func stated() throws {
    var home = try home(eur, rate: "0.915", total: "91.51")
    home.amountDue = try decimal("1.00")
    let both = try #require(try conversion(home, to: eur))
    #expect(both.total(try decimal("100"))?.description == "91.51")
    #expect(both.amountDue(try decimal("1.10"))?.description == "1.00")
    #expect(both.tax(try decimal("20"))?.description == "18.300")
    home.subtotal = try decimal("73.20")
    let whole = try #require(try conversion(home, to: eur))
    #expect(whole.tax(try decimal("20"))?.description == "18.31")
  }

  @Test("an invoice in the wanted currency keeps its amounts, whatever its home currency is")
  func same() throws {
    let same = try #require(try conversion(home(eur, rate: "0.9", total: "90"), to: usd))
    #expect(same.total(try decimal("100.10"))?.description == "100.10")
  }

  @Test("an invoice without a rate to the wanted currency has no conversion")
  func none() throws {
    #expect(try conversion(HomeAmounts(), to: eur) == nil)
    #expect(try conversion(home(eur), to: eur) == nil)
    #expect(try conversion(home(eur, rate: "0"), to: eur) == nil)
    // A rate to another currency is none, and neither is one to an unknown currency.
    #expect(try conversion(home(Currency(code: "CAD"), rate: "1.3"), to: eur) == nil)
    #expect(try conversion(home(nil, inverse: "1.1"), to: eur) == nil)
    #expect(try conversion(home(nil, inverse: "1.1"), to: eur, known: eur) != nil)
  }
}
