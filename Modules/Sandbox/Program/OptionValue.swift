/// The text given for an option, read as what the option needs.
struct OptionValue {
  let name: String
  let text: String

  func number(in range: ClosedRange<Int>) throws(SandboxUsageError) -> Int {
    guard let value = Int(text), range.contains(value) else {
      throw SandboxUsageError(
        "\(name) takes a number between \(range.lowerBound) and \(range.upperBound)")
    }
    return value
  }

  func seed() throws(SandboxUsageError) -> UInt64 {
    guard let value = UInt64(text) else { throw SandboxUsageError("\(name) takes a whole number") }
    return value
  }

  func provider() throws(SandboxUsageError) -> SandboxProvider {
    guard let provider = SandboxProvider(rawValue: text) else {
      let known = SandboxProvider.allCases.map(\.rawValue).joined(separator: ", ")
      throw SandboxUsageError("\(name) takes one of: \(known)")
    }
    return provider
  }

  /// Reads `250ms`, `30s`, `5m` or `1h`.
  func duration(min minimum: Duration = .zero) throws(SandboxUsageError) -> Duration {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int] = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
    // A day is more than any of these waits can mean, and keeps the product in range.
    guard let count = Int(digits), count <= 86_400_000,
      let unit = units[String(text.dropFirst(digits.count))]
    else { throw SandboxUsageError("\(name) takes a duration such as 250ms, 30s, 5m or 1h") }
    let duration = Duration.milliseconds(count * unit)
    guard duration >= minimum else { throw SandboxUsageError("\(name) is at least \(minimum)") }
    return duration
  }
}
