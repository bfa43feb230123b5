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

  /// Returns a hint that fits a sandbox that has stopped.
  func adapted(_ hint: String) -> String {
    hint.contains("appcore-sandbox serve") ? stopped : hint
  }

  private var stopped: String {
    "This sandbox has stopped. Its invoices can still be read: \(path.shellWord) invoices list. "
      + "Create a new one with: appcore setup --sandbox"
  }
}
