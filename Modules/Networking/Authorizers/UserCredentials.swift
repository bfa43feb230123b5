/// A user and a password (RFC 7617).
public struct UserCredentials: Sendable, Hashable {
  /// The user.
  public let user: String
  /// The password.
  public let password: String

  /// Creates credentials.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` where the user holds a colon or either a
  ///   control character (RFC 7617 section 2).
  public init(user: String, password: String) throws(SessionError) {
    let hasControl = (user + password).unicodeScalars.contains {
      $0.value < 0x20 || $0.value == 0x7F
    }
    guard !user.contains(":"), !hasControl else {
      throw .invalidRequest(reason: "a user has no colon, and neither part a control character")
    }
    self.user = user
    self.password = password
  }
}

extension UserCredentials: CustomStringConvertible, CustomReflectable {
  /// The user alone.
  public var description: String { "\(user):(redacted)" }
  /// Empty.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Asks the user for a user and a password.
public protocol UserCredentialsSource: Sendable {
  /// Asks; `nil` if the user has none to give.
  ///
  /// It is called once for all requests that wait, and its task is cancelled when the last of them
  /// was.
  ///
  /// - Parameters:
  ///   - origin: the server that asks.
  ///   - realm: the server's name for the protected area, if it gave one.
  func userCredentials(for origin: Origin, realm: String?) async throws -> UserCredentials?
}
