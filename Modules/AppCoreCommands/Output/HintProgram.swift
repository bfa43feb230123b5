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

  /// Returns a text whose commands use this program.
  ///
  /// `appcore setup` stays as it is, because it creates another configuration.
  func hints(in text: String) -> String {
    let words =
      (launcher?.path.shellWord ?? "appcore")
      + (configuration.map { " --config " + $0.shellWord } ?? "")
    return HintCommands.calling(words, in: text)
  }

  /// Returns a failure with a hint that uses this program, and that fits a sandbox.
  func adapted(_ failure: Failure) -> Failure {
    var failure = failure
    failure.hint = failure.hint.map { hints(in: launcher?.adapted($0) ?? $0) }
    return failure
  }
}
