import AppCore
import Documents

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

  /// Returns a hint that fits a sandbox that has stopped.
  func adapted(_ hint: Hint) -> Hint {
    guard hint.commands.contains(where: { $0.program == HintAccount.sandbox }) else { return hint }
    return Hint(
      "This sandbox has stopped. Its invoices can still be read", ["invoices", "list"]
    ).then("Create a new one with", ["setup", "--sandbox"])
  }
}
