/// What a command line asks for.
package enum SandboxCommand: Sendable, Equatable {
  /// Run a server.
  case serve(ServeOptions)
  /// Play the person's browser for an authorization URL.
  case approve(url: String)
  /// Print the help.
  case help

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``SandboxUsageError``.
  package init(_ arguments: [String]) throws(SandboxUsageError) {
    guard let name = arguments.first else {
      throw SandboxUsageError("a command is missing: serve or approve")
    }
    let rest = Array(arguments.dropFirst())
    if name == "help" || arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
      self = .help
      return
    }
    switch name {
    case "serve":
      self = .serve(try ServeOptions(rest))
    case "approve":
      guard rest.count == 1, let url = rest.first, !url.hasPrefix("-") else {
        throw SandboxUsageError("approve takes one URL")
      }
      self = .approve(url: url)
    default:
      throw SandboxUsageError("there is no command '\(name)'")
    }
  }
}

/// A command line that cannot be understood (exit code 64).
package struct SandboxUsageError: Error, Equatable {
  package let message: String

  init(_ message: String) {
    self.message = message
  }
}
