/// Work that closing the core waits for.
public enum PendingWork: Sendable, Equatable {
  /// The requests of a session; they are cancelled, and their connections closed.
  case requests(session: String)
  /// A renewal whose exchange has begun; interrupting it would lose the login.
  case renewal(account: String)
  /// A login that is in memory only and is being stored.
  case unsavedLogin(account: String)
  /// The closing of the database.
  case database
}
