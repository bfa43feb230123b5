import Models
import Testing

/// Whatever numbers there are can be added up, to the last digit.
@Suite(.timeLimit(.minutes(10))) struct DecimalSumTests {
  private func sum(_ texts: [String]) throws -> DecimalSum {
    DecimalSum(try texts.map { try #require(ExactDecimal($0)) })
  }

  private static let most = String(repeating: "9", count: 38)

  @Test(
    "sums are exact, however far the digits are apart",
    arguments: [
      ([], "0"), (["1.50", "2"], "3.50"), (["0.00", "0"], "0.00"),
      (["1e-38", "100.50"], "100.50000000000000000000000000000000000001"),
      (["100.50", "-1e-38"], "100.49999999999999999999999999999999999999"),
      (["-100.50", "1e-38"], "-100.49999999999999999999999999999999999999"),
      (["1e-38", "1e37", "-1e37", "-1e-38"], "0." + String(repeating: "0", count: 38)),
      ([most, most], "1" + String(repeating: "9", count: 37) + "8"),
      (["-" + most, "-" + most, "-1"], "-1" + String(repeating: "9", count: 38)),
      (
        [most, "0." + most, "1e-38"],
        "1" + String(repeating: "0", count: 38) + "."
          + String(repeating: "0", count: 38)
      ),
      (["-1e-38", most], String(repeating: "9", count: 37) + "8." + most),
    ] as [([String], String)])
  func exact(numbers: [String], expected: String) throws {
    let found = try sum(numbers)
    #expect(found.description == expected)
    #expect(try sum(numbers.reversed()) == found)
    // What is written is read again as the same.
    let read = try #require(DecimalSum(found.description))
    #expect(read == found && read.description == expected && read.hashValue == found.hashValue)
    #expect(found.exact == ExactDecimal(expected))
  }

  @Test("many numbers at both ends of the range have an exact sum")
  func many() throws {
    var sum = DecimalSum()
    let (large, small) = (
      try #require(ExactDecimal(Self.most)), try #require(ExactDecimal("1e-38"))
    )
    for _ in 0..<100_000 {
      sum.add(large)
      sum.add(small)
    }
    // 100 000 times (10^38 - 1), and 100 000 times 10^-38.
    #expect(sum.description == Self.most + "00000." + String(repeating: "0", count: 32) + "100000")
    #expect(sum.exact == nil && !sum.isZero)
    for _ in 0..<100_000 {
      sum.add(large.negated)
      sum.add(small.negated)
    }
    #expect(sum.isZero && sum == .zero)
  }

  @Test("a text of more digits than sums have is not a sum")
  func tooLong() throws {
    #expect(DecimalSum(String(repeating: "9", count: 48)) == nil)
    var sum = try #require(DecimalSum(String(repeating: "9", count: 47)))
    for _ in 0..<10 { sum.add(sum) }
    #expect(!sum.isZero)
  }

  @Test("sums that differ in their zeros alone are equal, and others are not")
  func equality() throws {
    #expect(try sum(["1.0"]) == sum(["0.5", "0.50"]))
    #expect(try sum(["1e-38", "1"]) != sum(["1"]))
  }

  @Test(
    "text that is not a number is not a sum",
    arguments: ["", "-", "1.", ".5", "1,5", "٣", "+1", "1.2.3", "0x1", most + "99.", " 1"])
  func malformed(text: String) {
    #expect(DecimalSum(text) == nil)
  }

  @Test("a sum is shown as money, with at least the decimals of its currency")
  func money() throws {
    let euro = try #require(Currency(code: "EUR"))
    #expect(try sum(["1"]).description(in: euro) == "1.00 EUR")
    #expect(try sum(["1", "0.005"]).description(in: euro) == "1.005 EUR")
  }
}
