import Authentication
import Documents
import Foundation
import Models
import SecureStore
import Storage
public import Sync
import SystemSupport

extension ApplicationCore {
  /// Returns the question that only the user can answer, if there is one.
  ///
  /// Does the new sign-in, or the new address of a list, belong to the organisation whose records
  /// the account holds? The provider does not name the organisation.
  ///
  /// Until ``confirm(_:)``, a sync throws `SyncError.organisationUnproven`. After a sign-in, use
  /// ``organisationQuestions(afterSignInOf:)``.
  ///
  /// - Returns: `nil` if there is nothing to ask.
  /// - Throws: as ``sync(_:account:)``.
  public func organisationQuestion(account name: String) async throws -> OrganisationQuestion? {
    guard FileManager.default.fileExists(atPath: databasePath),
      let resource = try resources(account: name).first
    else { return nil }
    return try await sync(resource, account: name).organisationQuestion()
  }

  /// Returns the questions that a front end asks after a sign-in: that of
  /// ``organisationQuestion(account:)`` for each account that uses the login.
  ///
  /// The sign-in is stored even if the database fails, so an account whose records cannot be read
  /// has no question here; its next sync makes the check itself.
  ///
  /// - Returns: one question for each account that has one, by name; usually none.
  /// - Throws: as ``sync(_:account:)``.
  public func organisationQuestions(
    afterSignInOf account: String
  ) async throws -> [OrganisationQuestion] {
    _ = try accountConfiguration(account)
    var questions: [OrganisationQuestion] = []
    for name in configuration.accounts(usingLoginOf: account) {
      do {
        if let question = try await organisationQuestion(account: name) {
          questions.append(question)
        }
      } catch is StorageError {
        continue
      }
    }
    return questions
  }

  /// Records the user's confirmation that the sign-in and the addresses of the lists belong to the
  /// organisation whose records the account holds.
  ///
  /// - Throws: `StorageError`.
  public func confirm(_ question: OrganisationQuestion) async throws {
    try await database().noteSignIn(
      question.login, addresses: question.addresses, account: question.account)
  }

  /// Deletes all stored records of an account, so that another organisation can use it.
  ///
  /// The account may be stored and no longer configured.
  ///
  /// - Throws: `SyncError.alreadyRunning` or `DocumentError.alreadyRunning` if a sync of the
  ///   account does not end within a minute; `StorageError`, ``ConfigurationError``;
  ///   `AuthenticationError.unknownAccount` for an account that is neither configured nor stored.
  public func forgetRecords(account name: String) async throws {
    try await forgetRecords(account: name, patience: .seconds(60))
  }

  func forgetRecords(account name: String, patience: Duration) async throws {
    if configuration.accounts[name] == nil {
      // This throws for an unknown name, and creates no database.
      _ = try await databaseForReading(account: name)
    }
    let database = try await database()
    let store = documentStore
    let files = try await store.lock(account: name, timeout: patience)
    defer { files.release() }
    let objects = try await database.storedObjects(accounts: [name])
    try await whileNotSyncing(name, patience: patience) {
      // Another account's run may be storing one of the objects.
      try await store.whileNoneComes(timeout: patience) {
        try await database.forgetRecords(account: name)
        try await store.remove(database.unreferenced(objects: objects))
      }
    }
    store.removeArrivals(account: name)
  }

  /// Runs `body` while no process syncs an account.
  ///
  /// - Throws: `SyncError.alreadyRunning` if a sync does not end within a minute; `StorageError`.
  func whileNotSyncing<Value>(
    _ name: String, patience: Duration = .seconds(60), _ body: () async throws -> Value
  ) async throws -> Value {
    guard let database = try await databaseForReading() else { return try await body() }
    let paths = Resource.named.map { ResourceSync.lockPath(of: $0, account: name, in: database) }
    return try await locked(paths[...], name, patience, body)
  }

  private func locked<Value>(
    _ paths: ArraySlice<String>, _ account: String, _ patience: Duration,
    _ body: () async throws -> Value
  ) async throws -> Value {
    guard let path = paths.first else { return try await body() }
    do {
      return try await FileLock.withLock(at: path, timeout: patience) {
        try await locked(paths.dropFirst(), account, patience, body)
      }
    } catch FileLockError.heldElsewhere(let held) where held == path {
      throw SyncError.alreadyRunning(account: account)
    } catch let error as FileLockError {
      throw StorageError.inaccessible(path: error.path, underlying: error)
    }
  }

  func signIn(of name: String) async -> SignInSource {
    let authenticator = authenticator
    let isProvided = await authenticator.isProvided(name)
    return SignInSource(
      login: { try await authenticator.loginID(of: name) },
      inUse: { await authenticator.currentLoginID(of: name) },
      isUnique: !isProvided)
  }
}
