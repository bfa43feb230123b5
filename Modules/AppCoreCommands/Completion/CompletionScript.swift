/// The script with which a shell completes command lines.
///
/// ArgumentParser adds a command `help` of its own to every program. appcore has one that knows
/// topics, and the shell must find that one alone.
enum CompletionScript {
  /// Returns the script without the added command.
  static func withoutAddedHelp(_ script: String) -> String {
    var lines: [Substring] = []
    var (hasHelp, isInAdded) = (false, false)
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "_appcore_help() {" {
        isInAdded = hasHelp
        hasHelp = true
      }
      if !isInAdded, !line.contains("Show subcommand help information.") { lines.append(line) }
      if line == "}" { isInAdded = false }
    }
    return lines.joined(separator: "\n")
      .replacing("|help|help)", with: "|help)").replacing(" help help'", with: " help'")
  }
}
