import ArgumentParser

/// The choice of how progress is shown.
enum ProgressChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, none, json
}

/// The ways to show the progress of a command.
enum ProgressStyle {
  case none
  /// One line on a terminal, drawn again and again.
  case line
  /// A line every 30 seconds, for a pipe, a file or a terminal that knows no escape sequences.
  case log
  /// One JSON object for each event.
  case json

  init(_ choice: ProgressChoice, _ context: CommandContext) {
    let terminal = context.terminal
    self =
      switch choice {
      case .none: .none
      case .json: .json
      case .auto:
        if terminal.isQuiet || terminal.isJSON || terminal.showsSteps {
          .none
        } else if terminal.isUserAtStandardError, context.environment.variables["TERM"] != "dumb" {
          .line
        } else {
          .log
        }
      }
  }
}
