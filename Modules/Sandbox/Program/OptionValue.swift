import ArgumentParser

/// The values of options that ArgumentParser cannot parse itself.
enum OptionValue {
  @Sendable static func text(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("it needs a value") }
    return text
  }

  @Sendable static func provider(_ text: String) throws -> SandboxProvider {
    guard let provider = SandboxProvider(rawValue: text) else {
      let known = SandboxProvider.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("it takes one of: \(known)")
    }
    return provider
  }

  /// Parses `250ms`, `30s`, `5m` or `1h`.
  @Sendable static func time(_ text: String) throws -> Duration {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int] = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
    // A day is longer than any reasonable wait, and keeps the product in range.
    guard let count = Int(digits), count <= 86_400_000,
      let unit = units[String(text.dropFirst(digits.count))]
    else { throw ValidationError("it takes a time such as 250ms, 30s, 5m or 1h") }
    return .milliseconds(count * unit)
  }
}
