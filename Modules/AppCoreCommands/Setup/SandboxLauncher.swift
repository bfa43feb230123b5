import ArgumentParser
import Documents
import Models

/// The script in a sandbox's folder that runs appcore with that folder's configuration and data.
///
/// It sets a variable, so that hints name the script: plain `appcore` would use the user's own
/// configuration.
struct SandboxLauncher: Sendable {
  /// The environment variable that holds the script's path.
  static let variable = "APPCORE_LAUNCHER"

  /// The path of the script.
  let path: String

  init(path: String) {
    self.path = path
  }

  /// Creates the launcher that started this process; `nil` if none did.
  init?(_ variables: [String: String]) {
    guard let path = variables[Self.variable], !path.isEmpty else { return nil }
    self.init(path: path)
  }

  /// Returns a text whose commands run with the sandbox's folder.
  ///
  /// `appcore setup` stays as it is, because it creates another configuration.
  func hints(in text: String) -> String {
    text.replacing(#/(?<before>^|[^\w\/.-])appcore (?<name>[a-z]+)\b/#) { match in
      Self.commands.contains(String(match.name))
        ? "\(match.before)\(path.shellWord) \(match.name)" : String(match.0)
    }
  }

  /// Returns failures whose hints fit a sandbox that has stopped.
  func adapted(_ failures: Failures) -> Failures {
    Failures(
      failures.all.map { failure in
        var failure = failure
        failure.hint = failure.hint.map {
          $0.contains("appcore-sandbox serve") ? stopped : hints(in: $0)
        }
        return failure
      }) ?? failures
  }

  private var stopped: String {
    "This sandbox has stopped. Its invoices can still be read: \(path.shellWord) invoices list. "
      + "Create a new one with: appcore setup --sandbox"
  }

  private static let commands = Set(
    RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
      .filter { $0 != "setup" })
}
