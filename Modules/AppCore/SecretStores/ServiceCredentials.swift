public import Foundation

/// Files that systemd hands to a service (systemd.exec(5), Credentials).
public struct ServiceCredentials: Sendable {
  private let folder: String?

  /// Finds the folder in `$CREDENTIALS_DIRECTORY`.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    folder = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The path of a file that a configuration names: an absolute path as it is, a name in the folder
  /// of credentials.
  func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : (folder ?? "/run/credentials") + "/" + name
  }

  /// Returns `true` if a file that a configuration names is a credential of systemd's.
  func holds(_ name: String) -> Bool {
    let path = URL(filePath: path(name)).standardizedFileURL.path(percentEncoded: false)
    return path.hasPrefix((folder ?? "/run/credentials") + "/")
  }

  /// The content of a credential, where it was handed over.
  func text(_ name: String) -> String? {
    folder.flatMap { try? String(contentsOfFile: $0 + "/" + name, encoding: .utf8) }?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
