import ArgumentParser

/// The values of `--color`, which decide if the log is in colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  /// In colour on a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
  case auto
  case always
  case never

  func allows(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}
