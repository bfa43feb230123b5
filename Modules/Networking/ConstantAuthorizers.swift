import Foundation
public import HTTPTypes

/// A bearer token that never changes (RFC 6750), for the origins it was made for.
public struct BearerAuthorizer: RequestAuthorizer {
  private let credentials: ConstantCredentials

  /// Creates an authorizer.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` where the token is empty or not visible
  ///   ASCII.
  public init(token: String, origins: Set<Origin>) throws(SessionError) {
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalidRequest(reason: "a bearer token is visible ASCII")
    }
    credentials = ConstantCredentials(header: "Bearer " + token, origins: origins)
  }

  /// Adds the token; refuses for another origin.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    try credentials.authorize(&request)
  }

  /// There is nothing newer.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, response: HTTPResponse
  ) async throws -> Bool { false }
}

/// A user and a password that never change (RFC 7617), for the origins they were made for.
public struct BasicAuthorizer: RequestAuthorizer {
  private let credentials: ConstantCredentials

  /// Creates an authorizer; both texts go as UTF-8.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` where the user holds a colon or either a
  ///   control character (RFC 7617 section 2).
  public init(user: String, password: String, origins: Set<Origin>) throws(SessionError) {
    let hasControl = (user + password).unicodeScalars.contains {
      $0.value < 0x20 || $0.value == 0x7F
    }
    guard !user.contains(":"), !hasControl else {
      throw .invalidRequest(reason: "a user has no colon, and neither part a control character")
    }
    let pair = Data("\(user):\(password)".utf8).base64EncodedString()
    credentials = ConstantCredentials(header: "Basic " + pair, origins: origins)
  }

  /// Adds user and password; refuses for another origin.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    try credentials.authorize(&request)
  }

  /// There is nothing newer.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, response: HTTPResponse
  ) async throws -> Bool { false }
}

/// A header value that is shown to nobody but its origins.
private struct ConstantCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  let header: String
  let origins: Set<Origin>

  var description: String { "credentials(redacted)" }
  var customMirror: Mirror { Mirror(self, children: []) }

  func authorize(_ request: inout HTTPRequest) throws -> CredentialGeneration {
    let origin = Origin(request)
    guard let origin, origins.contains(origin) else {
      throw SessionError.credentialsRefused(origin: origin)
    }
    request.headerFields[.authorization] = header
    return CredentialGeneration(rawValue: 0)
  }
}
