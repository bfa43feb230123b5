public import Foundation

/// Where logins are kept; it is chosen by name and never changed silently.
public enum SecretStoreChoice: Sendable, Hashable {
  /// The system keyring.
  case keyring
  /// An encrypted file, for machines without a keyring.
  ///
  /// `keyFile` is an absolute path, or the name of a systemd credential; `path` is the file, `nil`
  /// the usual place.
  case encryptedFile(keyFile: String, path: String?)

  init(_ node: ConfigurationNode) throws {
    var kind = "keyring"
    var keyFile: String?
    var path: String?
    try node.readKeys(known: ["kind", "keyFile", "path"]) { key, value in
      switch key {
      case "kind":
        kind = try value.text()
        guard ["keyring", "encrypted-file"].contains(kind) else {
          throw value.error("keyring or encrypted-file is expected")
        }
      case "keyFile": keyFile = try value.text()
      default:
        path = try value.text()
        guard path?.hasPrefix("/") == true else {
          throw value.error("an absolute path is expected")
        }
      }
    }
    guard kind == "encrypted-file" else {
      guard keyFile == nil, path == nil else {
        throw node.error("keyFile and path belong to the kind encrypted-file")
      }
      self = .keyring
      return
    }
    guard let keyFile else { throw node.error("keyFile is missing") }
    self = .encryptedFile(keyFile: keyFile, path: path)
  }
}

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

  /// Whether a file that a configuration names is one that systemd handed over.
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
