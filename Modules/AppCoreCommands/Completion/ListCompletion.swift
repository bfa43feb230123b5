import ArgumentParser

/// The completion of an option that takes several values separated by commas.
enum ListCompletion {
  static func of(_ values: [String]) -> CompletionKind {
    .custom { _, _, prefix in completions(of: prefix, values) }
  }

  /// Returns the texts that a list can continue as: what is typed, and each value that it lacks.
  static func completions(of typed: String, _ values: [String]) -> [String] {
    let names = typed.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let complete = names.dropLast()
    return values.filter { !complete.contains($0) }.map { value in
      (complete + [value]).joined(separator: ",")
    }
  }
}
