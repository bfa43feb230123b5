extension [String] {
  /// Returns the value of an option in arguments, even if they cannot be parsed; `nil` without the
  /// option.
  func value(of option: String) -> String? {
    let words = prefix { $0 != "--" }
    guard let index = words.lastIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else {
      return nil
    }
    return words[index] == option
      ? words[(index + 1)...].first : String(words[index].dropFirst(option.count + 1))
  }
}
