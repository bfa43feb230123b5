public import Authentication
import Foundation
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

  private enum Key: String, CaseIterable { case kind, service, keyFile, path }

  init(_ node: ConfigurationNode) throws {
    var kind = "keyring"
    var service: String?
    var keyFile: String?
    var path: String?
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .kind:
        kind = try value.text()
        guard ["keyring", "encrypted-file"].contains(kind) else {
          throw value.error("expected keyring or encrypted-file")
        }
      case .service:
        service = try value.text()
        guard service?.isEmpty == false else { throw value.error("expected a name") }
      case .keyFile: keyFile = try value.filePath()
      case .path:
        path = try value.absolutePath()
      }
    }
    guard kind == "encrypted-file" else {
      guard keyFile == nil, path == nil else {
        throw node.error("keyFile and path need kind: encrypted-file")
      }
      self = .keyring(service: service ?? Authenticator.defaultService)
      return
    }
    guard service == nil else {
      throw node.error("service needs kind: keyring; an encrypted file has its own path")
    }
    guard let keyFile else {
      throw node.error("keyFile is missing; set it to the path of a file with a passphrase")
    }
    self = .encryptedFile(keyFile: keyFile, path: path)
  }
}

extension SecretStoreChoice {
  /// True if the key is a systemd credential.
  var takesServiceCredential: Bool {
    guard case .encryptedFile(let keyFile, _) = self else { return false }
    return !keyFile.hasPrefix("/")
  }

  /// The program whose logins the store holds; part of each login's key.
  var service: String {
    switch self {
    case .keyring(let service): service
    case .encryptedFile: Authenticator.defaultService
    }
  }

  /// True if the logins are in the system keyring.
  var isKeyring: Bool {
    if case .keyring = self { true } else { false }
  }

  /// Opens the store.
  ///
  /// - Throws: ``ConfigurationError``.
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
          source: path,
          problem: "cannot create the folder of this file"
            + (SystemErrorText.of(error).map { ": \($0)" } ?? ""))
      }
      store = EncryptedFileStore(
        path: path, keyFile: credentials.path(keyFile),
        isServiceCredential: credentials.holds(keyFile))
      name = "encrypted-file:" + path
    }
    return RememberedSecretStore(backing: store, name: name, memory: memory)
  }
}
