import Authentication
import Documents
import Foundation
import Models
import Networking
import Providers
import SecureStore
import Storage
import Sync
import Synchronization
import SystemSupport

extension ApplicationCore {
  /// Checks the setup, and makes one request for each account that is signed in.
  ///
  /// It asks several accounts concurrently, stores no record, and renews a login only if the
  /// request needs it.
  ///
  /// - Parameters:
  ///   - directories: the folders for files.
  ///   - environment: the environment variables, which name the D-Bus session.
  ///   - timeout: the longest wait for each server's answer.
  ///   - onChange: takes the names of the checks under way, whenever one begins or ends.
  /// - Returns: the findings, those of accounts by name, whichever answers first.
  public func diagnose(
    in directories: Directories, environment: [String: String],
    timeout: Duration = .seconds(30),
    onChange: @escaping @Sendable (_ running: [String]) -> Void = { _ in }
  ) async -> [Finding] {
    let checks = RunningChecks(timeout: timeout, onChange: onChange)
    var findings: [Finding] = []
    if configuration.secretStore.isKeyring {
      findings.append(await checks.running("D-Bus") { await Diagnosis.bus(environment) })
    }
    let store = await checks.check(configuration.secretStore.isKeyring ? "keyring" : "login store")
    {
      let description = try await secretStore.checkAvailability()
      guard !description.isLocked else { throw SecretStoreError.locked }
      return "\(description)"
    }
    findings.append(store)
    findings += await Diagnosis.folders(directories, databasePath: databasePath)
    findings.append(
      await checks.check("database") {
        try await databaseForReading() == nil
          ? "\(databasePath) (none yet; the first sync creates it)" : databasePath
      })
    do { try configuration.requireConfiguration() } catch {
      // Nothing can be said of an account that nobody has set up.
      return [Finding("configuration", error)] + findings
    }
    findings += unknownSessions()
    findings += await recordsOfRemovedAccounts()
    if store.outcome != .failed { findings += await unusedLogins() }
    let synced = Set(await syncedAccounts())
    // Read once for all: each reading concerns every account.
    let states = (try? await states(ofAccounts: Array(synced))) ?? []
    let syncs = Dictionary(uniqueKeysWithValues: states.map { ($0.name, $0) })
    findings += await configuration.logins.concurrentMap { [self] login -> [Finding] in
      // The failure of the store has a finding of its own; only provided tokens need no store.
      let isProvided = await authenticator.isProvided(login)
      let isReadable = store.outcome != .failed || isProvided
      let (found, isSignedIn, skew) = await diagnose(login: login, isReadable, checks)
      let accounts = configuration.accounts(usingLoginOf: login).filter(synced.contains)
      guard isSignedIn else { return found }
      return found
        + (await accounts.concurrentMap { [self] in
          await diagnose(account: $0, syncs[$0], skew, checks)
        }).flatMap(\.self)
    }.flatMap(\.self)
    return findings
  }

  private func diagnose(
    login name: String, _ isReadable: Bool, _ checks: RunningChecks
  ) async -> (findings: [Finding], isSignedIn: Bool, clockSkew: TimeInterval?) {
    var findings: [Finding] = []
    var isSignedIn = false
    // A pasted token needs no sign-in server while it lasts.
    var needsServer = true
    var skew: TimeInterval?
    if isReadable {
      findings.append(
        await checks.check("login \(label(of: name))") {
          let status = try await authenticator.status(of: name)
          skew = status.clockSkew
          if status.state == .signedOut {
            try await requireOwnLogin(name)
            try configuration.requireClient(name)
          }
          try Self.requireLogin(status)
          isSignedIn = true
          needsServer = status.isRenewable || status.state != .valid
          return [
            status.state.rawValue,
            status.lockHolder.map { "process \($0) is renewing" },
            status.endsAt.map { "cannot be renewed, ends at \(Timestamp($0).truncatedToSecond)" },
          ].compactMap(\.self).joined(separator: ", ")
        })
    }
    if !configuration.passesKey(account: name) {
      let server = await checks.boundedCheck("server \(label(of: name))") { [authenticator] in
        // A longer wait that the server asks for would look like a server that does not answer.
        let server = try await Session.waiting(atMost: .seconds(5)) {
          try await authenticator.probeServer(of: name)
        }
        return "\(server) answers"
      }
      findings.append(
        needsServer || server.outcome == .works
          ? server
          : Finding(
            server.name, .warning, server.detail,
            fix: "The stored token works without this server; a sign-in in a browser needs it.",
            error: server.error))
    }
    return (findings.map { $0.of(name) }, isSignedIn, skew)
  }

  private func diagnose(
    account name: String, _ state: AccountState?, _ skew: TimeInterval?, _ checks: RunningChecks
  ) async -> [Finding] {
    let clockSkew = Mutex(skew)
    var findings = [
      await checks.boundedCheck("request \(label(of: name))") { [self] in
        guard let resource = try resources(account: name).first else { return "nothing to read" }
        let sample = try await sample(of: resource, account: name)
        if let time = sample.serverTime {
          clockSkew.withLock { $0 = time.date.timeIntervalSinceNow }
        }
        return "the provider answers; \(resource) on the first page: \(sample.rows)"
      }
    ]
    if let skew = clockSkew.withLock({ $0 }), let clock = Diagnosis.clock(name, skew: skew) {
      findings.append(clock)
    }
    findings += await missingDocumentScopes(account: name)
    let problem = findings.first?.error.map { "\($0)" }
    return (findings + failedSyncs(of: state, except: problem)).map { $0.of(name) }
  }

  /// Returns a warning for each scope that the login lacks for the files of invoices.
  private func missingDocumentScopes(account name: String) async -> [Finding] {
    guard let (provider, context) = try? await context(of: name),
      let source = provider.documents(in: context),
      let status = try? await authenticator.status(of: configuration.login(of: name)),
      !status.scopes.isEmpty
    else { return [] }
    return DocumentKind.allCases.filter(source.kinds.contains).compactMap { kind in
      guard let scope = source.scope(for: kind), !status.scopes.contains(scope) else { return nil }
      return Finding(
        "\(kind.plural) \(label(of: name))", .warning, "the login lacks the scope \(scope)",
        fix: Hint("Sign in again", configuration.signInCommand(account: name)))
    }
  }

  /// Returns an account's name, with a mark if its books are made up.
  private func label(of name: String) -> String {
    name + (configuration.accounts[name]?.environment == .sandbox ? " (sandbox)" : "")
  }

  /// Returns a warning for each account whose own login a shared one has replaced.
  func unusedLogins() async -> [Finding] {
    do {
      return try await accountsWithUnusedLogin().map { name in
        Finding(
          "unused login \(name)", .warning,
          "an earlier login of its own is stored, but the account uses the login of "
            + "'\(configuration.login(of: name))'",
          fix: Hint("Remove it", ["logout", "--account", name, "--unused"]))
      }
    } catch {
      return [Finding("unused logins", error)]
    }
  }

  /// Returns a warning for each account that is not configured any more and holds records.
  ///
  /// A database that cannot be read has a finding of its own.
  private func recordsOfRemovedAccounts() async -> [Finding] {
    ((try? await removedAccounts()) ?? []).map { removed in
      Finding(
        "records \(removed.name)", .warning,
        "\(removed.contents) of an account that is not in this configuration are stored, and the "
          + "views of the database hold them",
        fix: Hint(
          "If no other configuration has it, delete them",
          ["organisations", "remove", removed.name, "--forget-invoices"]))
    }
  }

  /// Returns a warning for each configured session whose name is nearly one of appcore's own; a
  /// front end's modules have names of their own.
  private func unknownSessions() -> [Finding] {
    let own = ["auth"] + Resource.Kind.allCases.map(\.rawValue)
    return configuration.sessions.keys.sorted().compactMap { name in
      guard !own.contains(name), let meant = NearestWord.to(name, among: own) else { return nil }
      return Finding(
        "session \(name)", .warning, "sessions.\(name) of the configuration is used by no sync",
        fix: "Did you mean sessions.\(meant)?")
    }
  }

  private static func requireLogin(_ status: AccountStatus) throws {
    switch status.state {
    case .signedOut:
      throw AuthenticationError.signInRequired(account: status.account, reason: .notSignedIn)
    case .rejected:
      guard case .ended(let reason, _)? = status.lastOutcome else { break }
      throw AuthenticationError.signInRequired(
        account: status.account, reason: reason, message: status.providerMessage)
    case .valid, .expired: break
    }
  }

  /// Returns a warning for each resource whose last sync failed or died, or a failure if no sync
  /// succeeds before the user has acted; and a warning for each with records that cannot be read.
  ///
  /// - Parameter problem: the cause that another finding has reported.
  private func failedSyncs(of state: AccountState?, except problem: String?) -> [Finding] {
    guard let state else { return [] }
    let name = state.name
    let unreadable = state.syncs.compactMap { sync in
      sync.unreadable.first.map { first in
        Finding(
          "records \(label(of: name)) \(sync.resource)", .warning,
          "\(sync.unreadableCount) cannot be read, such as \(first.id): \(first.path): "
            + first.reason,
          fix: Hint("A sync reads one again when it changes. To see the first ones", ["status"]))
      }
    }
    let failed = state.syncs.compactMap { sync -> Finding? in
      guard let run = sync.runs.first, [.failed, .died].contains(run.state),
        // The stored cause may end with the provider's words.
        run.record.cause.map({ cause in problem.map(cause.hasPrefix) ?? false }) != true
      else { return nil }
      return Finding(
        "sync \(label(of: name)) \(sync.resource)",
        state.solves(sync.resource) ? .failed : .warning,
        "the last run \(run.state.rawValue)" + (run.record.cause.map { ": \($0)" } ?? ""),
        run: Finding.FailedRun(resource: sync.resource, record: run.record))
    }
    return failed + unreadable
  }
}

final class RunningChecks: Sendable {
  private let timeout: Duration
  private let onChange: @Sendable (_ running: [String]) -> Void
  private let names = Mutex<[String]>([])

  /// - Parameters:
  ///   - timeout: the longest wait of ``boundedCheck(_:_:)``.
  ///   - onChange: takes the names of the running checks, the oldest first.
  init(timeout: Duration, onChange: @escaping @Sendable (_ running: [String]) -> Void) {
    self.timeout = timeout
    self.onChange = onChange
  }

  func check(_ name: String, _ body: () async throws -> String) async -> Finding {
    await running(name) { await Finding.check(name, body) }
  }

  func boundedCheck(
    _ name: String, _ body: @escaping @Sendable () async throws -> String
  ) async -> Finding {
    await running(name) { await Finding.check(name, within: timeout, body) }
  }

  func running(_ name: String, _ body: () async -> Finding) async -> Finding {
    change { $0.append(name) }
    let finding = await body()
    change { names in
      if let index = names.firstIndex(of: name) { names.remove(at: index) }
    }
    return finding
  }

  private func change(_ change: (inout [String]) -> Void) {
    // Under the lock, so that no change overtakes another.
    names.withLock { names in
      change(&names)
      onChange(names)
    }
  }
}
