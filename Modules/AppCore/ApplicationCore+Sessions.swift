import Authentication
import Foundation
public import HTTPTypes
import Logging
import Models
public import Networking
import Providers
import Sync
import Synchronization
import SystemSupport

extension ApplicationCore {
  /// The module whose session settings hold for requests about an account as a whole, which belong
  /// to no list.
  static let accountModule = Resource.invoices.rawValue

  /// Returns the session of a feature module for an account; the same one at every call.
  ///
  /// It has the module's own configuration and the account's credentials, which go to the
  /// provider's API alone.
  ///
  /// - Parameters:
  ///   - module: the name of the module, as under `sessions` in the configuration file.
  ///   - name: the account.
  ///   - defaults: the module's own values; what the user's file states goes before them. They
  ///     count at the first call for the account.
  /// - Throws: ``ConfigurationError``; `AuthenticationError.unknownAccount`; ``CoreError/closed``.
  public func session(
    for module: String, account name: String, defaults: SessionConfiguration? = nil
  ) throws -> Session {
    try session(for: module, account: name, key: module + "/" + name, defaults)
  }

  /// Returns a request to the provider's API about the organisation that syncs of an account read.
  ///
  /// The request has the provider's own header fields, such as the one that names the organisation.
  /// One to another origin has neither those nor credentials.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - address: a path below the base address of the API, such as `api.xro/2.0/Invoices?page=2`,
  ///     in which `{tenantID}` stands for the organisation; or an absolute `http` or `https` URL.
  ///   - name: the account, whose session sends the request.
  /// - Throws: `SyncError.organisationUnclear(available:)` if the login reaches several
  ///   organisations and none was chosen; `SessionError.invalidRequest(reason:)`;
  ///   `AuthenticationError`, ``ConfigurationError``. If the provider has to be asked for the
  ///   organisation: `SyncError`, `SessionError`.
  public func request(
    _ method: HTTPRequest.Method = .get, to address: String, account name: String
  ) async throws -> Request {
    let (provider, context) = try await context(of: name)
    if let url = URL(string: address), url.scheme != nil {
      var request = try Request(method: method, url: url)
      guard Origin(url) == Origin(context.baseURL) else {
        request.authorization = .none
        return request
      }
      request.fields = provider.requestFields(in: try await knowing(provider, context))
      return request
    }
    let known = try await knowing(provider, context)
    var path = address.trimmingPrefix("/")[...]
    if path.contains(RESTDescription.tenant) {
      guard let tenant = known.tenantID else {
        throw SessionError.invalidRequest(
          reason: "the path has \(RESTDescription.tenant), and the account has no organisation")
      }
      path = path.replacing(RESTDescription.tenant, with: FormEncoding.escape(tenant))
    }
    guard !path.prefix(while: { !"?#".contains($0) }).split(separator: "/").contains("..") else {
      throw SessionError.invalidRequest(reason: "the path leads out of the API's address")
    }
    let base = context.baseURL.absoluteString
    guard let url = URL(string: base + (base.hasSuffix("/") ? "" : "/") + path) else {
      throw SessionError.invalidRequest(reason: "the path is not valid; escape it")
    }
    return try Request(
      method: method, url: url, fields: provider.requestFields(in: known))
  }

  /// Returns the context with the organisation that syncs read, which a login may have without a
  /// choice if it reaches no other.
  func knowing(
    _ provider: any Provider, _ context: ProviderContext
  ) async throws -> ProviderContext {
    guard context.tenantID == nil, provider.profile.listsOrganisations else { return context }
    let login = try await authenticator.loginID(of: context.account)
    let id = try await onlyOrganisations.id(of: context.account, login: login) { [self] in
      try await organisations(account: context.account)
    }
    return ProviderContext(
      account: context.account, baseURL: context.baseURL, tenantID: id, timeZone: context.timeZone)
  }

  /// Ends the requests of a module's sessions, of all accounts.
  package func cancelRequests(ofModule module: String) {
    let own = sessions.withLock { $0.filter { $0.key.hasPrefix(module + "/") } }
    for session in own.values { session.cancelAll() }
  }

  /// Runs `body` with a session of its own, which is shut down at the end.
  ///
  /// A sync of many accounts would otherwise leave the connections of each open.
  ///
  /// - Throws: as ``session(for:account:defaults:)``; what `body` throws.
  func withSession<Value>(
    for module: String, account name: String, _ body: (Session) async throws -> Value
  ) async throws -> Value {
    let key = "\(module)/\(name)/\(UUID())"
    let session = try session(for: module, account: name, key: key, nil)
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

  private func session(
    for module: String, account name: String, key: String, _ defaults: SessionConfiguration?
  ) throws -> Session {
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
        configuration: provider.bounded(
          configuration.session(module, defaults: defaults), for: account),
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

/// The organisations of logins that reach only one, each asked for once.
actor OnlyOrganisations {
  private var known: [String: (login: String, id: SharedOutcome<String>)] = [:]

  /// Returns the only organisation that the login of an account reaches.
  ///
  /// - Parameter ask: asks the provider for all.
  /// - Throws: `SyncError.organisationUnclear(available:)` if there are several or none; the errors
  ///   of `ask`.
  func id(
    of account: String, login: String,
    ask: @escaping @Sendable () async throws -> [Organisation]
  ) async throws -> String {
    if let known = known[account], known.login == login { return try await known.id.value() }
    let outcome = SharedOutcome<String>()
    known[account] = (login, outcome)
    // A task of its own: the caller may be cancelled while others wait.
    Task {
      do { outcome.resolve(.success(try await ask().only(nil, known: nil))) } catch {
        outcome.resolve(.failure(error))
        // The next call asks again.
        if known[account]?.id === outcome { known[account] = nil }
      }
    }
    return try await outcome.value()
  }
}
