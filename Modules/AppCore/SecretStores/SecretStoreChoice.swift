public import Authentication
public import Foundation
import SecureStore
import SystemSupport

/// The store for logins, chosen by name and never changed silently.
public enum SecretStoreChoice: Sendable, Hashable {
  /// The system keyring.
  ///
  /// `service` is the program whose logins these are. A front end with a state folder of its own
  /// needs a service of its own: the locks that keep two programs from spending one refresh token
  /// are in the state folder.
  case keyring(service: String = Authenticator.defaultService)
  /// An encrypted file, for machines without a keyring.
  ///
  /// `keyFile` is an absolute path, or the name of a systemd credential. `path` is the file; `nil`
  /// means the default path.
  case encryptedFile(keyFile: String, path: String?)
}

extension SecretStoreChoice {
  private enum Kind: String {
    case keyring
    case encryptedFile = "encrypted-file"
  }

  /// The keys of the file, of which each kind has its own.
  private struct Section {
    var kind = Kind.keyring
    var service: String?
    var keyFile: String?
    var path: String?

    static let settings: [Setting<Section>] = [
      Setting(
        "kind", \.kind, .word([.keyring, .encryptedFile]), "Store of the logins",
        "The encrypted file is for a server without a keyring. The first login fixes the choice: "
          + "appcore refuses another one while there are logins."),
      Setting(
        "service", \.service, .text, "Program to which the logins in the keyring belong",
        "A front end with a state folder of its own needs a service of its own.",
        default: .documented(Authenticator.defaultService), example: "my-program"),
      Setting(
        "keyFile", \.keyFile, .filePath, "File with a passphrase of 16 bytes or more",
        "It is a path or the name of a systemd credential. Only its owner may read the file (`chmod "
          + "600`). A systemd credential may also be readable by its group.",
        example: "appcore.key"),
      Setting(
        "path", \.path, .absolutePath, "Encrypted file",
        default: .documented("$XDG_DATA_HOME/appcore/logins.encrypted"),
        example: "/srv/invoices/logins.encrypted"),
    ]
  }

  static var settingDescriptions: [SettingDescription] {
    Section.settings.map {
      var setting = $0.description(of: Section(), in: "secretStore.")
      setting.name = setting.key
      return setting
    }
  }

  init(_ node: ConfigurationNode) throws {
    var section = Section()
    try node.read(Section.settings, into: &section)
    switch section.kind {
    case .keyring:
      guard section.keyFile == nil, section.path == nil else {
        throw node.error("keyFile and path need kind: encrypted-file")
      }
      self = .keyring(service: section.service ?? Authenticator.defaultService)
    case .encryptedFile:
      guard section.service == nil else {
        throw node.error("service needs kind: keyring; an encrypted file has its own path")
      }
      guard let keyFile = section.keyFile else {
        throw node.error("keyFile is missing; set it to the path of a file with a passphrase")
      }
      self = .encryptedFile(keyFile: keyFile, path: section.path)
    }
  }

  /// True if the key is a systemd credential.
  var takesServiceCredential: Bool {
    guard case .encryptedFile(let keyFile, _) = self else { return false }
    return !keyFile.hasPrefix("/")
  }

  var service: String {
    switch self {
    case .keyring(let service): service
    case .encryptedFile: Authenticator.defaultService
    }
  }

  var isKeyring: Bool {
    if case .keyring = self { true } else { false }
  }

  func store(
    in directories: Directories, _ credentials: ServiceCredentials, _ memory: SecretStoreMemory
  ) throws -> any SecretStore {
    let (store, name): (any SecretStore, String)
    switch self {
    case .keyring:
      store = LibsecretStore(service: service)
      name = service == Authenticator.defaultService ? "keyring" : "keyring, service \(service)"
    case .encryptedFile(let keyFile, let path):
      let path = path ?? directories.data + "/logins.encrypted"
      do {
        try Directories.create(
          URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
      } catch {
        throw ConfigurationError(
          source: path, problem: "cannot create the folder of this file", reason: error)
      }
      store = EncryptedFileStore(
        path: path, keyFile: credentials.path(keyFile),
        isServiceCredential: credentials.holds(keyFile))
      name = "encrypted-file:" + path
    }
    return RememberedSecretStore(backing: store, name: name, memory: memory)
  }
}

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

  func holds(_ name: String) -> Bool {
    let path = URL(filePath: path(name)).standardizedFileURL.path(percentEncoded: false)
    return path.hasPrefix((folder ?? "/run/credentials") + "/")
  }

  func existingPath(_ name: String) -> String? {
    folder.map { $0 + "/" + name }.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }
}
