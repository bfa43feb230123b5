import AppCore
import Models
import Presentation

/// The program as the commands in hints call it, such as `appcore --config other.yaml`.
///
/// A hint's command without these words would use another configuration than the command that
/// prints it.
struct HintProgram: Sendable {
  /// The script in a sandbox's folder that ran the command; `nil` if none did.
  var launcher: SandboxLauncher?
  var configuration: String?

  var words: String {
    (launcher?.path.shellWord ?? "appcore")
      + (configuration.map { " --config " + $0.shellWord } ?? "")
  }

  /// Returns a hint as text.
  ///
  /// - Parameter isUnbroken: true to keep a terminal from breaking its commands.
  func text(
    _ hint: Hint, isUnbroken: Bool = false, time: (Timestamp) -> String = { HumanText.time($0) }
  ) -> String {
    (launcher?.adapted(hint) ?? hint).text(
      calling: words, command: { isUnbroken ? $0.unbroken : $0 }, time: time)
  }

  func text(_ command: Hint.Command) -> String { command.text(calling: words) }

  /// Returns a failure with a hint that uses this program, and that fits a sandbox.
  func adapted(_ failure: Failure) -> Failure {
    var failure = failure
    failure.program = words
    failure.advice = failure.advice.map { launcher?.adapted($0) ?? $0 }
    return failure
  }
}

/// The script in a sandbox's folder that runs appcore with that folder's configuration and data.
///
/// It sets a variable, so that hints name the script: plain `appcore` would use the user's own
/// configuration.
struct SandboxLauncher: Sendable {
  /// The environment variable that holds the script's path.
  static let variable = "APPCORE_LAUNCHER"

  let path: String

  init(path: String) {
    self.path = path
  }

  /// Creates the launcher that started this process; `nil` if none did.
  init?(_ variables: [String: String]) {
    guard let path = variables[Self.variable], !path.isEmpty else { return nil }
    self.init(path: path)
  }

  /// Returns a hint that fits a sandbox that the script cannot start again.
  func adapted(_ hint: Hint) -> Hint {
    guard hint.commands.contains(where: { $0.program == HintAccount.sandbox }) else { return hint }
    return Hint(
      "This sandbox does not start again. Its invoices can still be read", ["invoices", "list"]
    ).then("Create a new one with", ["setup", "--sandbox"])
  }
}
