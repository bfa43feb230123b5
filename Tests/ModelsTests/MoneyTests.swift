import Models
import Testing

@Suite(.timeLimit(.minutes(10))) struct MoneyTests {
  // Edge case 55
  @Test(
    "an amount shows at least the decimals of its currency",
    arguments: [
      ("12.5", "CAD", "12.50 CAD"), ("12", "JPY", "12 JPY"), ("1.5", "TND", "1.500 TND"),
      ("0.123456", "USD", "0.123456 USD"), ("-3", "EUR", "-3.00 EUR"),
    ])
  func description(amount: String, code: String, expected: String) throws {
    let money = Money(try #require(ExactDecimal(amount)), try #require(Currency(code: code)))
    #expect(money.description == expected)
  }

  @Test("amounts in different currencies are not added")
  func mixedCurrencies() throws {
    let euro = Money(ExactDecimal(1), try #require(Currency(code: "eur")))
    let yen = Money(ExactDecimal(1), try #require(Currency(code: "JPY")))
    #expect(euro.adding(yen) == nil)
    #expect(euro.adding(euro)?.description == "2.00 EUR")
  }

  @Test("an unknown but well-formed code is kept, a malformed one refused")
  func codes() {
    #expect(Currency(code: "XQQ")?.code == "XQQ")
    #expect(Currency(code: "EURO") == nil)
    #expect(Currency(code: "E1R") == nil)
    #expect(Currency(code: "ÉUR") == nil)
  }
}
