/// The script with which a shell completes command lines.
///
/// ArgumentParser adds a command `help` of its own to every program. appcore has one that knows
/// topics, and the shell must find that one alone. Its scripts for bash and zsh offer
/// values in a form that the shell expands, and they may be texts of a server.
enum CompletionScript {
  /// Returns the script without the added command, and without any expansion of values.
  static func amended(_ script: String) -> String {
    var lines: [Substring] = []
    var (hasHelp, isInReplaced) = (false, false)
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "_appcore_help() {" {
        isInReplaced = hasHelp
        hasHelp = true
      } else if line == "__appcore_add_completions() {" {
        isInReplaced = true
        lines.append(Substring(addingValues))
      }
      if !isInReplaced, !line.contains("Show subcommand help information.") { lines.append(line) }
      if line == "}" { isInReplaced = false }
    }
    return lines.joined(separator: "\n")
      .replacing("|help|help)", with: "|help)").replacing(" help help'", with: " help'")
      // zsh quotes a `!` only while this option is on.
      .replacing("unsetopt aliases banghist", with: "unsetopt aliases")
  }

  /// The function of bash that offers values, one a line.
  ///
  /// `compgen -W` would expand them, and readline inserts what it is given. So a value is compared
  /// here, and offered as a word that the shell reads as this value. What an open quote needs
  /// depends on the quote, so there only values without special characters are offered.
  private static let addingValues = #"""
    __appcore_add_completions() {
        local completion text word="${COMP_WORDS[COMP_CWORD]}"
        if [[ "${1}" != -W ]]; then
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(compgen "${@}" -- "${cur}")
            return
        fi
        # Readline must not quote what is quoted here.
        compopt +o filenames 2>/dev/null
        while IFS='' read -r completion; do
            text="${completion}"
            if [[ "${word}" == [\'\"]* || "${word}" != "${cur}"* ]]; then
                [[ "${text}" == *[\'\"\\\$\`\!\;\&\|\<\>\(\)\{\}\*\?\~\^\[\]]* ]] && continue
            elif [[ "${text}" == *[!A-Za-z0-9_,.:/@%+=-]* ]]; then
                printf -v text %q "${completion}"
            fi
            if [[ "${completion}" == "${cur//\\/}"* || "${text}" == "${cur}"* ]]; then
                COMPREPLY+=("${text}")
            fi
        done <<<"${2}"
    }
    """#
}
