import Foundation
import Models
import Testing

@Suite(.timeLimit(.minutes(10))) struct ExactDecimalTests {
  // Edge case 55
  @Test(
    "a number prints as it was written",
    arguments: [
      "0", "0.00", "-12.50", "47.99", "12.5000", "0.000001", "9007199254740993.01",
      "99999999999999999999999999999999999999", "-0.1",
    ])
  func keepsDigits(text: String) throws {
    #expect(ExactDecimal(text)?.description == text)
  }

  @Test("a number of any length prints as it was written, wherever its point is", arguments: 1...38)
  func lengths(count: Int) {
    let digits = String("98765432109876543210987654321098765432".prefix(count))
    for sign in ["", "-"] {
      #expect(ExactDecimal(sign + digits)?.description == sign + digits)
      for place in 1..<max(count, 2) where place < count {
        let text = "\(sign)\(digits.prefix(place)).\(digits.dropFirst(place))"
        #expect(ExactDecimal(text)?.description == text)
        #expect(ExactDecimal(text + "e0")?.description == text)
      }
      #expect(ExactDecimal("\(sign)0.\(digits)")?.description == "\(sign)0.\(digits)")
      for wrong in ["0\(digits)", "\(digits).", ".\(digits)", "\(digits)-", "\(digits)..1"] {
        #expect(ExactDecimal(sign + wrong) == nil, "\(sign + wrong)")
      }
    }
  }

  @Test(
    "an exponent moves the point and loses no digit",
    arguments: [
      ("1e3", "1000"), ("1.5E-2", "0.015"), ("12.30e1", "123.0"), ("0e9", "0"), ("-2e+0", "-2"),
    ])
  func exponents(text: String, plain: String) throws {
    #expect(ExactDecimal(text)?.description == plain)
  }

  // Edge case 51
  @Test(
    "text that is not a JSON number is refused",
    arguments: [
      "", "-", "+1", ".5", "1.", "01", "1e", "1e+", "0x10", "NaN", "Infinity", "1 ", " 1", "1,5",
      "1e99", "1e-99", "1e999999999999999999999999", String(repeating: "9", count: 39),
      String(repeating: "1", count: 1_000_000),
    ])
  func refusals(text: String) {
    #expect(ExactDecimal(text) == nil)
  }

  @Test("values are compared, not spellings")
  func comparison() throws {
    let one = try #require(ExactDecimal("1"))
    let alsoOne = try #require(ExactDecimal("1.000"))
    #expect(one == alsoOne)
    #expect(one.hashValue == alsoOne.hashValue)
    let tiny = try #require(ExactDecimal("0." + String(repeating: "0", count: 36) + "1"))
    let huge = try #require(ExactDecimal(String(repeating: "9", count: 38)))
    #expect(tiny < huge)
    #expect(huge.negated < tiny)
    #expect(tiny.negated < tiny)
    #expect(huge.negated < tiny.negated)
    #expect(!(huge < tiny))
  }

  @Test("a sum is exact, and absent if it has too many digits")
  func sums() throws {
    let fifth = try #require(ExactDecimal("0.20"))
    #expect(ExactDecimal("0.1")?.adding(fifth)?.description == "0.30")
    let large = try #require(ExactDecimal("9007199254740993"))
    #expect(large.adding(ExactDecimal(1))?.description == "9007199254740994")
    let huge = try #require(ExactDecimal(String(repeating: "9", count: 38)))
    #expect(huge.adding(huge) == nil)
    #expect(huge.subtracting(huge)?.isZero == true)
  }

  @Test("JSON carries it as a string, and a JSON number is refused")
  func coding() throws {
    let value = try #require(ExactDecimal("12.50"))
    #expect(try JSONEncoder().encode([value]) == Data(#"["12.50"]"#.utf8))
    #expect(
      try JSONDecoder().decode([ExactDecimal].self, from: Data(#"["12.50"]"#.utf8)) == [value])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ExactDecimal].self, from: Data("[12.5]".utf8))
    }
  }
}
