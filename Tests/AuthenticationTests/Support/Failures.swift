@testable import Authentication

extension AuthenticationFixture {
  /// Asks for credentials and returns the error; `nil` if there is none.
  func failure() async -> (any Error)? {
    do {
      _ = try await authenticator.credential(for: "default")
      return nil
    } catch {
      return error
    }
  }
}

/// Returns the reason why an error requires a sign-in; `nil` if it does not.
func signInReason(_ error: (any Error)?) -> AuthenticationError.SignInReason? {
  if case AuthenticationError.signInRequired(_, let reason, _)? = error { reason } else { nil }
}

/// Returns the underlying error of a failure that costs nothing; `nil` for any other failure.
func temporaryCause(_ error: (any Error)?) -> (any Error)? {
  guard case AuthenticationError.temporarilyUnavailable(_, _, let cause)? = error else {
    return nil
  }
  return cause
}
