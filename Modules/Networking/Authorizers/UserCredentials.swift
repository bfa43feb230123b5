/// A user and a password (RFC 7617).
public struct UserCredentials: Sendable, Hashable {
  /// The user.
  public let user: String
  /// The password.
  public let password: String

  /// Creates credentials.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` if the user contains a colon, or either
  ///   contains a control character (RFC 7617 section 2).
  public init(user: String, password: String) throws(SessionError) {
    let hasControl = (user + password).unicodeScalars.contains {
      $0.value < 0x20 || $0.value == 0x7F
    }
    guard !user.contains(":"), !hasControl else {
      throw .invalidRequest(
        reason: "a user name must not contain a colon, nor it or the password a control character")
    }
    self.user = user
    self.password = password
  }
}

extension UserCredentials: CustomStringConvertible, CustomReflectable {
  /// The user, without the password.
  public var description: String { "\(user):(redacted)" }
  /// A mirror without children, so that the password is never shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Asks the user for a user and a password.
public protocol UserCredentialsSource: Sendable {
  /// Asks the user; returns `nil` if the user gives none.
  ///
  /// It is called once for all waiting requests, and its task is cancelled when the last of them
  /// is.
  ///
  /// - Parameters:
  ///   - origin: the server that asks.
  ///   - realm: the server's name for the protected area, if it gave one.
  func userCredentials(for origin: Origin, realm: String?) async throws -> UserCredentials?
}
