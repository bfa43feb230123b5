import Authentication
import Foundation
import Logging
import Models
public import Networking
import Providers
import Synchronization

extension ApplicationCore {
  /// The module whose session settings hold for requests about an account as a whole, which belong
  /// to no list.
  static let accountModule = Resource.invoices.rawValue

  /// Returns the session of a feature module for an account; the same one at every call.
  ///
  /// It has the module's own configuration and the account's credentials.
  ///
  /// - Throws: ``ConfigurationError``; `AuthenticationError.unknownAccount`; ``CoreError/closed``.
  public func session(for module: String, account name: String) throws -> Session {
    try session(for: module, account: name, key: module + "/" + name)
  }

  /// Runs `body` with a session of its own, which is shut down at the end.
  ///
  /// A sync of many accounts would otherwise leave the connections of each open.
  ///
  /// - Throws: as ``session(for:account:)``; what `body` throws.
  func withSession<Value>(
    for module: String, account name: String, _ body: (Session) async throws -> Value
  ) async throws -> Value {
    let key = "\(module)/\(name)/\(UUID())"
    let session = try session(for: module, account: name, key: key)
    let result: Result<Value, any Error>
    do { result = .success(try await body(session)) } catch { result = .failure(error) }
    _ = sessions.withLock { $0.removeValue(forKey: key) }
    await session.shutdown()
    return try result.get()
  }

  /// Requires that an account whose login is another account's uses the same API.
  private func requireAPI(_ origin: Origin, of provider: any Provider, account: String) throws {
    let login = configuration.login(of: account)
    guard login != account,
      Origin(try provider.baseURL(accountConfiguration(login).endpoints)) != origin
    else { return }
    throw ConfigurationError(
      source: "accounts", key: account,
      problem: "the login of '\(login)' is not for \(origin); use the same baseURL for both, or "
        + "give this account a login of its own")
  }

  private func session(for module: String, account name: String, key: String) throws -> Session {
    try requireLockFolder()
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    let baseURL = try provider.baseURL(account.endpoints)
    guard let origin = Origin(baseURL) else {
      throw ConfigurationError(
        source: "providers", key: "baseURL", problem: "expected an http or https URL")
    }
    try requireAPI(origin, of: provider, account: name)
    let authorizer = try authenticator.authorizer(for: name, origins: [origin])
    let client = configuration.accounts[configuration.login(of: name)]?.clientID
    let application = client.flatMap { client in
      accountLimits.limits(
        ofApplication: client, at: origin, provider.applicationRateLimits(account.endpoints))
    }
    return try sessions.withLock { sessions in
      // Under this lock, so that a close shuts down every session that is created before it.
      try requireOpen()
      if let session = sessions[key] { return session }
      let session = Session(
        name: module,
        configuration: provider.bounded(configuration.session(module), for: account),
        authorizer: authorizer, observer: httpObserver, logger: makeLogger("appcore.networking"),
        sharedLimits: accountLimits.limits(
          of: name, at: origin, concurrency: provider.concurrency(account.endpoints),
          application: application))
      sessions[key] = session
      return session
    }
  }

  /// Creates a session that sends requests with given credentials, with the settings of
  /// ``accountModule``.
  func session(
    trying authorizer: some RequestAuthorizer, _ provider: any Provider,
    _ account: AccountConfiguration
  ) -> Session {
    Session(
      name: "sign-in",
      configuration: provider.bounded(configuration.session(Self.accountModule), for: account),
      authorizer: authorizer, observer: httpObserver, logger: makeLogger("appcore.networking"))
  }

  var allSessions: [Session] { sessions.withLock { Array($0.values) } }
}
