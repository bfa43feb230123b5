import Authentication
import ErrorCodes
public import Models
import Networking
import Providers
import Storage
public import Sync
import SystemSupport

extension ApplicationCore {
  /// Returns the resources of an account that can be synced, invoices first.
  ///
  /// - Throws: ``ConfigurationError``, `AuthenticationError.unknownAccount`.
  public func resources(account name: String) throws -> [Resource] {
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    return provider.resources(in: try context(of: name, account, provider, tenantID: nil))
  }

  /// Returns the sync of one resource of an account, over the session of the same name.
  ///
  /// Its runs use the user's configuration, such as ``CoreConfiguration/sync``,
  /// unless their options override it.
  ///
  /// - Throws: ``ConfigurationError``, also for a resource that the provider does not list;
  ///   `StorageError`; `AuthenticationError`, also if the organisation is known only from a sign-in
  ///   and there is none.
  public func sync(_ resource: Resource, account name: String) async throws -> ResourceSync {
    try await sync(
      resource, account: name, over: try session(for: resource.kind.rawValue, account: name))
  }

  func sync(
    _ resource: Resource, account name: String, over session: Session
  ) async throws -> ResourceSync {
    let (provider, context) = try await context(of: name)
    let database = try await database()
    await keepName(of: name, organisation: context.tenantID, in: database)
    let sync = provider.sync(
      resource, in: context, over: session,
      into: database, signIn: await signIn(of: name),
      settings: configuration.sync,
      logger: makeLogger("appcore.sync"))
    guard let sync else { throw absence(of: resource, account: name, at: provider, context) }
    return sync
  }

  /// Reads one page of a resource and returns how its first record is parsed; stores nothing.
  ///
  /// - Throws: as ``sync(_:account:)`` and the sync itself.
  public func sample(of resource: Resource, account name: String) async throws -> ResourceSample {
    let (provider, context) = try await context(of: name)
    let sample = try await withSession(for: resource.kind.rawValue, account: name) { session in
      try await provider.sample(of: resource, in: context, over: session)
    }
    guard let sample else {
      throw absence(of: resource, account: name, at: provider, context)
    }
    return sample
  }

  /// Returns the account for examining a provider: the default account if it uses that provider,
  /// else the first by name.
  ///
  /// - Throws: ``ConfigurationError`` for an unknown provider, and for one without an account.
  public func account(of provider: String) throws -> String {
    _ = try configuration.provider(provider)
    let names = configuration.accounts.filter { $0.value.provider == provider }.keys.sorted()
    guard let first = names.first else {
      throw ConfigurationError(
        source: "accounts",
        problem:
          "no account uses the provider '\(provider)'; add provider: \(provider) to an account")
    }
    return names.contains(configuration.defaultAccount) ? configuration.defaultAccount : first
  }

  func context(of name: String) async throws -> (any Provider, ProviderContext) {
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    // The configured organisation, or else the one that the user chose or the sign-in named.
    var tenantID = account.tenantID
    if tenantID == nil, provider.profile.redirectTenantParameter != nil {
      tenantID = try await authenticator.tenantID(of: name)
    } else if tenantID == nil, provider.profile.listsOrganisations {
      // Without a login there is no choice; the first request reports that.
      tenantID = try? await authenticator.tenantID(of: name)
    }
    return (provider, try context(of: name, account, provider, tenantID: tenantID))
  }

  private func context(
    of name: String, _ account: AccountConfiguration, _ provider: any Provider, tenantID: String?
  ) throws -> ProviderContext {
    ProviderContext(
      account: name, baseURL: try provider.baseURL(account.endpoints), tenantID: tenantID,
      timeZone: account.timeZone)
  }

  private func absence(
    of resource: Resource, account name: String, at provider: any Provider,
    _ context: ProviderContext
  ) -> ConfigurationError {
    let available = provider.resources(in: context).map(\.rawValue).joined(separator: ", ")
    return ConfigurationError(
      source: "accounts", key: name,
      problem: "\(provider.name) does not list \(resource); available: \(available)")
  }

  /// Starts syncs of several accounts, several of them concurrently, each within the limits that
  /// its provider publishes for an organisation.
  ///
  /// One account's failure stops no other. Accounts that share a login share its renewals.
  ///
  /// - Parameters:
  ///   - resources: the resources; `nil` takes all that an account's provider lists. An account
  ///     whose provider does not list one is synced without it.
  ///   - accounts: the accounts, such as ``syncedAccounts()``.
  ///   - options: the options of each run.
  ///   - concurrency: the number of accounts that are synced concurrently.
  public func sync(
    _ resources: [Resource]? = nil, accounts: [String], options: SyncOptions = SyncOptions(),
    concurrency: Int = RunningAccountSyncs.usualConcurrency
  ) -> RunningAccountSyncs {
    RunningAccountSyncs(accounts, concurrency: concurrency) { [self] account, progress in
      await sync(account, resources, options, progress)
    }
  }

  private func sync(
    _ account: String, _ wanted: [Resource]?, _ options: SyncOptions,
    _ progress: @escaping @Sendable (AccountSyncEvent) -> Void
  ) async -> AccountSyncResult {
    do {
      let outcomes = try await syncResources(wanted, account: account) { resource in
        try await withSession(for: resource.kind.rawValue, account: account) { session in
          try await sync(resource, account: account, over: session).run(options) {
            progress(.progress(account: account, resource: resource, $0))
          }
        }
      }
      return AccountSyncResult(
        account: account, outcomes: outcomes.map(AccountSyncResult.Outcome.init))
    } catch {
      return AccountSyncResult(
        account: account, outcomes: [.init(resource: nil, result: .failure(error))])
    }
  }
}

extension AccountSyncResult.Outcome {
  fileprivate init(_ outcome: ResourceOutcome<SyncReport>) {
    self.init(
      resource: outcome.resource,
      result: outcome.isInterrupted ? .failure(CancellationError()) : outcome.result,
      tokenRequests: outcome.tokenRequests, isRepeated: outcome.isRepeated)
  }
}

/// The outcome of one resource in a sequence of syncs.
public struct ResourceOutcome<Report> {
  /// The resource.
  public let resource: Resource
  /// The report, or the error that ended the sync.
  public let result: Result<Report, any Error>
  /// The number of requests to authorization servers while it ran; of accounts that are synced at
  /// the same time, each counts those of all.
  public let tokenRequests: Int
  /// True if a cancellation ended the sync, or kept it from beginning.
  public let isInterrupted: Bool
  /// True if the login may not read the list, as in the run before, so that the user has been told.
  public let isRepeated: Bool

  /// Creates the outcome of a sync that has ended in the calling task.
  init(
    _ resource: Resource, _ result: Result<Report, any Error>, tokenRequests: Int,
    isRepeated: Bool = false
  ) {
    self.resource = resource
    self.isRepeated = isRepeated
    self.tokenRequests = tokenRequests
    self.result = result
    isInterrupted =
      if case .failure(let error) = result {
        // A sync that is cancelled may report the request or the query that failed because of it.
        Task.isCancelled || error is CancellationError
      } else {
        false
      }
  }
}

extension ResourceOutcome: Sendable where Report: Sendable {}

extension ApplicationCore {
  /// Syncs resources of an account one after the other; one that fails stops no other.
  ///
  /// A cancellation ends the sequence: the last outcome is then interrupted, and those before it
  /// stay.
  ///
  /// - Parameters:
  ///   - wanted: the resources; `nil` takes all that the account's provider lists. One that it does
  ///     not list is left out.
  ///   - name: the account.
  ///   - sync: syncs one resource, such as with ``sync(_:account:)``, and returns its report.
  /// - Returns: the outcomes in the order of the syncs, invoices first.
  /// - Throws: as ``resources(account:)``.
  public func syncResources<Report>(
    _ wanted: [Resource]? = nil, account name: String,
    with sync: (_ resource: Resource) async throws -> Report
  ) async throws -> [ResourceOutcome<Report>] {
    var outcomes: [ResourceOutcome<Report>] = []
    let lists = try resources(account: name).filter { wanted?.contains($0) ?? true }
    for (resource, next) in zip(lists, lists.dropFirst().map(Optional.some) + [nil]) {
      let before = authenticator.tokenRequests
      let result: Result<Report, any Error>
      do {
        try Task.checkCancellation()
        result = .success(
          try await LeftIndexes.$areWordsForLaterList.withValue(next != nil) {
            try await LeftIndexes.$areForNextList.withValue(next?.kind == resource.kind) {
              try await sync(resource)
            }
          })
      } catch {
        result = .failure(error)
      }
      let outcome = ResourceOutcome(
        resource, result, tokenRequests: authenticator.tokenRequests - before,
        isRepeated: await isRepeated(result, of: resource, account: name))
      outcomes.append(outcome)
      if outcome.isInterrupted { return outcomes }
    }
    // A last list that was refused has left what those before it left to it.
    if outcomes.count > 1, case .failure? = outcomes.last?.result {
      try? await database().completeLists(
        of: name, at: Timestamp(TimeSource.system.wall()))
    }
    return outcomes
  }

  /// Returns whether a sync failed because the login may not read the list, as in the run before.
  private func isRepeated<Report>(
    _ result: Result<Report, any Error>, of resource: Resource, account: String
  ) async -> Bool {
    guard case .failure(let error as any CodedError) = result,
      [.accessDenied, .insufficientScope].contains(error.code)
    else { return false }
    // A database that cannot be read hides no failure.
    return await (try? database().repeatsFailure(account: account, resource: resource)) ?? false
  }
}
