public import Foundation

/// Files that systemd passes to a service (systemd.exec(5), Credentials).
public struct ServiceCredentials: Sendable {
  private let folder: String?

  /// Reads the folder from `$CREDENTIALS_DIRECTORY`.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    folder = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Returns the path of a file that a configuration names.
  ///
  /// An absolute path stays as it is; a name is a file in the folder of credentials.
  func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : (folder ?? "/run/credentials") + "/" + name
  }

  /// Returns `true` if a file that a configuration names is a systemd credential.
  func holds(_ name: String) -> Bool {
    let path = URL(filePath: path(name)).standardizedFileURL.path(percentEncoded: false)
    return path.hasPrefix((folder ?? "/run/credentials") + "/")
  }

  /// Returns the path of a credential; `nil` if systemd passed none with that name.
  func existingPath(_ name: String) -> String? {
    folder.map { $0 + "/" + name }.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }
}
