/// The commands of `appcore` that hints name.
package enum HintCommands {
  /// The names of the commands that work on an existing configuration: all but `appcore setup`.
  package static let names: Set = [
    "login", "logout", "status", "sync", "invoices", "contacts", "report", "organisations",
    "config", "doctor", "help",
  ]

  /// Returns a text whose commands begin with these words.
  ///
  /// - Parameter program: the words to use instead of `appcore`, such as
  ///   `appcore --config other.yaml`.
  package static func calling(_ program: String, in text: String) -> String {
    guard program != "appcore" else { return text }
    return text.replacing(#/(?<before>^|[^\w\/.-])appcore (?<name>[a-z]+)\b/#) { match in
      names.contains(String(match.name))
        ? "\(match.before)\(program) \(match.name)" : String(match.0)
    }
  }
}

extension Failures {
  /// Returns the failures with hints whose commands begin with these words.
  package func calling(_ program: String) -> Failures {
    let adapted = all.map { failure in
      var failure = failure
      failure.hint = failure.hint.map { HintCommands.calling(program, in: $0) }
      return failure
    }
    return Failures(adapted) ?? self
  }
}
