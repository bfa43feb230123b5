public import Authentication
import Foundation

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
    guard !FileManager.default.fileExists(atPath: path) else { return false }
    // Two random UUIDs have 244 random bits.
    try Self.writeSecret(UUID().uuidString + UUID().uuidString, to: path)
    return true
  }

  private static func folder(of path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    return folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }
}
