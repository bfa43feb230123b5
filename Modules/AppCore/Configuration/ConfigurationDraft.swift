public import Authentication
import Foundation
public import Providers
import SecureStore
import SystemSupport

/// A new configuration file with one account, which explains itself.
public struct ConfigurationDraft: Sendable, Equatable {
  /// The provider's name, such as `xero`.
  public var provider: String
  /// The account's name.
  public var account = "default"
  /// The client identifier; `nil` for a provider that takes a token.
  public var clientID: String?
  /// The file that holds the client secret.
  public var clientSecretFile: String?
  /// The provider's servers: those with real books, or its sandbox.
  public var environment = ProviderEnvironment.production
  /// The address of the API, for a provider that has another one for each customer.
  public var baseURL: String?
  /// The organisation, for a provider whose requests name one.
  public var tenantID: String?
  /// The https page on which the sign-in ends; `nil` for a port of this machine.
  public var redirectURI: String?
  /// The host of a redirect URI on this machine.
  public var redirectHost = OAuthClient.LoopbackHost.address
  /// The loopback port of the redirect URI; 0 takes a free one at each sign-in.
  public var redirectPort = 0
  /// The address of a server that replaces the provider's, such as a sandbox.
  public var serverURL: String?
  /// The file with the key of an encrypted file of logins; `nil` uses the system keyring.
  public var keyFile: String?

  /// Creates a draft for an account of a provider.
  public init(provider: String) {
    self.provider = provider
  }

  /// The file's text.
  public var text: String {
    var lines = [
      "# Configuration of appcore. Show every value with: appcore config show",
      "# The provider of accounts that name none.",
      "provider: \(Self.quoted(provider))",
      "",
      "# The account to use without --account.",
      "defaultAccount: \(Self.quoted(account))",
      "",
      "accounts:",
      "  \(Self.quoted(account)):",
    ]
    lines += accountLines
    if let keyFile {
      lines += [
        "", "# The logins are in an encrypted file; this file holds its key.",
        "secretStore:", "  kind: encrypted-file", "  keyFile: \(Self.quoted(keyFile))",
      ]
    }
    if let serverURL {
      lines += [
        "", "# Another server in place of the provider's own.", "providers:",
        "  \(Self.quoted(provider)):", "    baseURL: \(Self.quoted(serverURL))",
        "    issuer: \(Self.quoted(serverURL))",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines of the account, indented as below its name.
  public var accountLines: [String] {
    var lines = ["    provider: \(Self.quoted(provider))"]
    if environment != .production {
      lines += [
        "    # The servers with made-up books.", "    environment: \(environment.rawValue)",
      ]
    }
    if let baseURL {
      lines += ["    # The address of your books.", "    baseURL: \(Self.quoted(baseURL))"]
    }
    if let tenantID {
      lines += ["    # The organisation.", "    tenantID: \(Self.quoted(tenantID))"]
    }
    if let clientID {
      lines += [
        "    # The identifier that the provider gave you for your app.",
        "    clientID: \(Self.quoted(clientID))",
      ]
    }
    if let clientSecretFile {
      lines += [
        "    # A file with the client secret, which only you may read.",
        "    clientSecretFile: \(Self.quoted(clientSecretFile))",
      ]
    }
    if let redirectURI {
      lines += [
        "    # The redirect URI that is registered; the sign-in asks for the address of this page.",
        "    redirectURI: \(Self.quoted(redirectURI))",
      ]
    } else if redirectPort != 0 {
      let uri = Self.redirectURI(host: redirectHost, port: redirectPort)
      lines += ["    # The redirect URI to register: \(uri)"]
      if redirectHost != .address { lines += ["    redirectHost: \(redirectHost.rawValue)"] }
      lines += ["    redirectPort: \(redirectPort)"]
    }
    return lines
  }

  /// Writes the file, which only its owner can read.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - replaces: true to replace a file that exists.
  /// - Throws: ``ConfigurationError`` if there is one, or if it cannot be written.
  public func write(to path: String, replaces: Bool = false) throws {
    guard replaces || !FileManager.default.fileExists(atPath: path) else {
      throw ConfigurationError(source: path, problem: "there is a configuration already")
    }
    try Self.write(Data(text.utf8), to: path)
  }

  /// Adds the account to a configuration that exists, in a file of its own beside it.
  ///
  /// - Parameter path: the configuration file, which stays unchanged.
  /// - Returns: the path of the account's file.
  /// - Throws: ``ConfigurationError`` if there is one, or if it cannot be written.
  public func addAccount(toConfiguration path: String) async throws -> String {
    let folder = AccountFolder(besideConfiguration: path)
    let beginning = [
      "# Account '\(account)' of appcore. The file's name is the account's name.",
      "# To remove the account: appcore organisations remove \(account)",
    ]
    let text = (beginning + accountLines.map { String($0.dropFirst(4)) }).joined(separator: "\n")
    try await folder.whileLocked { try folder.add(account, text + "\n") }
    return folder.file(of: account)
  }

  /// Copies a configuration file that is to be replaced, and returns the path of the copy.
  ///
  /// The file itself stays until the new one replaces it, so that a failure between loses neither.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: ``ConfigurationError`` if it cannot be copied.
  public static func keepCopy(of path: String) throws -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let target = unusedPath(path + ".old")
    do { try FileManager.default.copyItem(atPath: path, toPath: target) } catch {
      throw ConfigurationError(source: path, problem: "the file cannot be copied")
    }
    return target
  }

  /// Returns a path where no file is: the given one, or with `-2`, `-3` and so on behind it.
  ///
  /// A configuration that was replaced names its file with the client secret, which has to stay.
  public static func unusedPath(_ path: String) -> String {
    var target = path
    var number = 2
    while FileManager.default.fileExists(atPath: target) {
      target = "\(path)-\(number)"
      number += 1
    }
    return target
  }

  /// Checks that a store of logins can be used.
  ///
  /// - Parameters:
  ///   - keyFile: the key of an encrypted file, which has to exist; `nil` for the keyring.
  ///   - directories: the folders for files.
  ///   - credentials: the credentials that systemd passes to a service.
  /// - Throws: `SecretStoreError`, also if the logins are in another store; ``ConfigurationError``.
  public static func checkSecretStore(
    keyFile: String?, in directories: Directories,
    _ credentials: ServiceCredentials = ServiceCredentials()
  ) async throws {
    let choice = keyFile.map { SecretStoreChoice.encryptedFile(keyFile: $0, path: nil) }
    let store = try (choice ?? .keyring()).store(
      in: directories, credentials, SecretStoreMemory(directories))
    _ = try await store.checkAvailability()
  }

  /// Writes a client secret or a key to a file that only its owner can read.
  ///
  /// - Throws: ``ConfigurationError`` if it cannot be written.
  public static func writeSecret(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  static func write(_ data: Data, to path: String) throws {
    do {
      try Directories.create(
        URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
      try AtomicFile.replace(path, with: data, isDurable: true)
    } catch {
      throw ConfigurationError(source: path, problem: "the file cannot be written", reason: error)
    }
  }

  static func quoted(_ text: String) -> String {
    let isPlain = text.wholeMatch(of: #/[A-Za-z][A-Za-z0-9._\-]*|\/[A-Za-z0-9._\/\-]+/#) != nil
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    guard !isPlain || words.contains(text.lowercased()) else { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

// The files beside a configuration, and the values that a new one gets.
extension ConfigurationDraft {
  /// The port of the redirect URI for a provider that needs the URI to be registered.
  public static let usualRedirectPort = 14_285

  /// Returns the redirect URI to register for a port; 0 is a free port at each sign-in, which no
  /// registered URI names.
  public static func redirectURI(
    host: OAuthClient.LoopbackHost = .address, port: Int
  ) -> String {
    "http://\(host.rawValue)\(port == 0 ? "" : ":\(port)")/callback"
  }

  /// Returns the reason why a text is no https page for the end of a sign-in; `nil` if it is one.
  public static func problem(ofRedirectURI text: String) -> String? {
    ConfigurationNode.problem(ofRedirectPage: text)
  }

  /// Returns the reason why a text is no address of an API; `nil` if it is one.
  public static func problem(ofAddress text: String) -> String? {
    do {
      _ = try ConfigurationNode(yaml: quoted(text), source: "").serverAddress()
      return nil
    } catch {
      return (error as? ConfigurationError)?.problem ?? "expected an http or https URL"
    }
  }

  /// Returns the file for the key of an encrypted file of logins, beside a configuration file.
  public static func keyFile(beside path: String) -> String { folder(of: path) + "/key" }

  /// Returns a new file for an account's client secret, beside a configuration file.
  ///
  /// It replaces no earlier file, which an earlier configuration may name.
  public static func clientSecretFile(of account: String, beside path: String) -> String {
    unusedPath(folder(of: path) + "/" + account + ".secret")
  }

  /// Checks that a file holds a client secret that only its owner can read.
  ///
  /// - Throws: ``ConfigurationError``.
  public static func checkSecretFile(_ path: String) throws {
    try AccountConfiguration.checkSecret(at: path)
  }

  /// Selects an encrypted file for the logins, and writes a new key unless the file of the key
  /// exists: an earlier key still opens earlier logins.
  ///
  /// - Parameter path: the file of the key, such as ``keyFile(beside:)``.
  /// - Returns: true if a new key was written.
  /// - Throws: ``ConfigurationError`` if it cannot be written.
  public mutating func useEncryptedFile(keyFile path: String) throws -> Bool {
    keyFile = path
    return try Self.writeKey(to: path)
  }

  /// Writes a new key of an encrypted file for logins, unless the file exists.
  ///
  /// - Returns: true if a new key was written.
  /// - Throws: ``ConfigurationError`` if it cannot be written.
  public static func writeKey(to path: String) throws -> Bool {
    guard !FileManager.default.fileExists(atPath: path) else { return false }
    // Two random UUIDs have 244 random bits.
    try writeSecret(UUID().uuidString + UUID().uuidString, to: path)
    return true
  }

  private static func folder(of path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    return folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }
}
