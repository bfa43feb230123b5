import Networking
import SecureStore

@testable import Authentication

extension AuthenticationFixture {
  /// Asks for credentials and returns the error; `nil` if there is none.
  func failure() async -> (any Error)? {
    await error { try await authenticator.credential(for: "default") }
  }
}

/// Returns the error with which work ends; `nil` if there is none.
func error<Value>(of work: () async throws -> Value) async -> (any Error)? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error
  }
}

/// Returns the name of the case of the error with which work ends, with the reason that tests
/// compare; `none` without an error.
func ending<Value>(_ work: () async throws -> Value) async -> String {
  do {
    _ = try await work()
    return "none"
  } catch AuthenticationError.signInRequired(_, let reason, _) {
    return "signInRequired(\(reason))"
  } catch AuthenticationError.secretStoreUnavailable(_, .locked) {
    return "secretStoreUnavailable(locked)"
  } catch SessionError.timedOut(let phase, _) {
    return "timedOut(\(phase))"
  } catch {
    // The name of the case, which a mirror has of those with values alone.
    return Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }
}

/// Returns the reason why an error requires a sign-in; `nil` if it does not.
func signInReason(_ error: (any Error)?) -> AuthenticationError.SignInReason? {
  if case AuthenticationError.signInRequired(_, let reason, _)? = error { reason } else { nil }
}

/// Returns the reason why a sign-in did not succeed; `nil` for any other error.
func signInFailure(_ error: (any Error)?) -> AuthenticationError.SignInFailure? {
  if case AuthenticationError.signInFailed(_, let reason, _)? = error { reason } else { nil }
}

/// Returns the underlying error of a failure that costs nothing; `nil` for any other failure.
func temporaryCause(_ error: (any Error)?) -> (any Error)? {
  guard case AuthenticationError.temporarilyUnavailable(_, _, let cause)? = error else {
    return nil
  }
  return cause
}
