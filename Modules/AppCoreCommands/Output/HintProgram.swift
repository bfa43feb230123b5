import AppCore
import Documents
import Models

/// The program as the commands in hints call it, such as `appcore --config other.yaml`.
///
/// A hint's command without these words would use another configuration than the command that
/// prints it.
struct HintProgram: Sendable {
  /// The script in a sandbox's folder that ran the command; `nil` if none did.
  var launcher: SandboxLauncher?
  /// The value of `--config`; `nil` without the option.
  var configuration: String?

  /// The words that call the program.
  var words: String {
    (launcher?.path.shellWord ?? "appcore")
      + (configuration.map { " --config " + $0.shellWord } ?? "")
  }

  /// Returns a hint as text whose commands call this program.
  func text(_ hint: Hint) -> String {
    (launcher?.adapted(hint) ?? hint).text(calling: words)
  }

  /// Returns a command as text that calls this program.
  func text(_ command: Hint.Command) -> String { command.text(calling: words) }

  /// Returns a failure with a hint that uses this program, and that fits a sandbox.
  func adapted(_ failure: Failure) -> Failure {
    var failure = failure
    failure.program = words
    failure.advice = failure.advice.map { launcher?.adapted($0) ?? $0 }
    return failure
  }
}
